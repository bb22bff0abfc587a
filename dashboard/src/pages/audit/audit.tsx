/** The audit log: a sentence a line, who by name; whether its chain was proved; everything as CSV. */
import { Button } from '@mantine/core';
import type { AuditEntry } from '../../../../client/src/bursar.ts';
import { pageAt } from '../../api/client.ts';
import { useDownload } from '../../api/download.ts';
import { useList, useRead } from '../../api/reads.ts';
import { actorInSentence } from '../../ui/actors.ts';
import { Empty, Loading, NoHit } from '../../ui/conditions.tsx';
import { Choice, FilterText } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Icon } from '../../ui/icons.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { ListTrouble } from '../../ui/list-trouble.tsx';
import { useOpen } from '../../ui/open.ts';
import { Facts, Page } from '../../ui/page.tsx';
import { Split } from '../../ui/split.tsx';
import { State } from '../../ui/state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { useNames, Who } from '../../ui/who.tsx';
import { KINDS, sentenceOf } from './sentences.ts';

const FILTERS = { kind: 'one', actor: 'one', subject: 'one' } as const;

const ACTORS = [
  { value: 'cli', label: 'The command line' },
  { value: 'worker', label: 'The service' },
];

export function AuditLog() {
  const filters = useFilters(FILTERS);
  const open = useOpen('/audit');
  const names = useNames();
  const file = useDownload();
  const { kind, actor, subject } = filters.values;
  const query = {
    ...(kind !== '' && { action: KINDS.find(({ value }) => value === kind)?.actions ?? [] }),
    ...(actor !== '' && { actor: [actor] }),
    subject,
  };
  const list = useList(['audit', query], (client) =>
    pageAt<AuditEntry>(client, '/v1/audit_log', { ...query, limit: 100 }),
  );
  const said = (entry: AuditEntry) => `${actorInSentence(entry.actor, names)} ${sentenceOf(entry)}`;
  const columns: Column<AuditEntry>[] = [
    {
      key: 'what',
      title: 'What happened',
      phone: 'top-left',
      cell: (entry) => (
        <span aria-current={entry.id === open.id ? 'true' : undefined} title={said(entry)}>
          {said(entry)}
        </span>
      ),
    },
    ...(open.id === null
      ? [
          {
            key: 'about',
            title: 'About',
            width: '170px',
            cell: ({ subject: id }: AuditEntry) =>
              id === null ? null : <span className="mono muted">{shortId(id)}</span>,
          },
        ]
      : []),
    {
      key: 'time',
      title: 'Time',
      width: '130px',
      align: 'right',
      phone: 'bottom-left',
      cell: ({ created }) => <Time at={created} />,
    },
  ];
  const people = [...names].map(([value, label]) => ({ value, label }));
  const chosen = list.rows.find(({ id }) => id === open.id);
  const content = () => {
    if (list.error !== null)
      return <ListTrouble error={list.error} again={list.again} what="the audit log" filters={filters} />;
    if (list.isLoading) return <Loading lines={10} />;
    if (list.rows.length > 0) {
      return (
        <Table
          label="Audit log"
          columns={columns}
          rows={list.rows}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => open.hrefOf(id)}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          more={list.more}
        />
      );
    }
    if (filters.isFiltered) return <NoHit what="entry" clear={filters.clear} />;
    return (
      <Empty>Nothing has been written down yet: keys, people, settings, rules and approvals leave a line here.</Empty>
    );
  };
  return (
    <Page
      title="Audit log"
      about={<Chain />}
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          loading={file.isBusy}
          disabled={list.rows.length === 0}
          onClick={() => void file.start('/v1/audit_log', { ...query, format: 'csv', bom: true }, 'audit-log.csv')}
        >
          {filters.isFiltered ? 'These as CSV' : 'All as CSV'}
        </Button>
      }
    >
      <Trouble error={file.error} />
      <div className="filters">
        <Choice label="Of every kind" value={kind} options={KINDS} onChange={(next) => filters.set({ kind: next })} />
        <Choice
          label="By anybody"
          width={220}
          value={actor}
          options={[...people, ...ACTORS]}
          onChange={(next) => filters.set({ actor: next })}
        />
        <FilterText
          label="Id of an object"
          width={260}
          value={subject}
          onChange={(next) => filters.set({ subject: next })}
        />
      </div>
      <Split
        label="The entry"
        back={open.back}
        chosen={open.id === null || list.isLoading ? null : <Entry entry={chosen} said={chosen && said(chosen)} />}
        list={content()}
      />
    </Page>
  );
}

function Entry({ entry, said }: { readonly entry: AuditEntry | undefined; readonly said: string | undefined }) {
  if (entry === undefined) return <p className="muted">This entry is not among those that are shown.</p>;
  return (
    <>
      <div>
        <h2>{said}</h2>
        <p className="muted small">
          <Time at={entry.created} /> · number {entry.sequence}
        </p>
      </div>
      <Facts
        rows={[
          ['By', <Who key="who" actor={entry.actor} />],
          ['About', entry.subject === null ? null : <Id key="subject" id={entry.subject} />],
          ['Address', entry.ip],
          ['Request', entry.request === null ? null : <Id key="request" id={entry.request} />],
          [
            'Action',
            <span key="action" className="mono">
              {entry.action}
            </span>,
          ],
        ]}
      />
      {Object.keys(entry.details).length > 0 && (
        <section className="stack">
          <h3>Details</h3>
          <Json value={entry.details} label="Details of the entry" />
        </section>
      )}
      <Facts
        rows={[
          [
            'Hash',
            <span key="hash" className="mono">
              {entry.hash}
            </span>,
          ],
          [
            'Of the entry before',
            <span key="before" className="mono">
              {entry.previous_hash}
            </span>,
          ],
        ]}
      />
    </>
  );
}

/** What the last verification says: it recomputes the chain of hashes with everything else. */
function Chain() {
  const { data } = useRead(['verification'], (client) => client.verification.retrieve());
  if (data === undefined) return <span className="muted">No entry is ever changed.</span>;
  if (data.status === 'none')
    return <span className="muted">No entry is ever changed. The chain is verified once a day.</span>;
  const isBroken = data.damages.some(({ kind }) => kind.startsWith('audit'));
  return isBroken ? (
    <State mark="bad" word="The chain of hashes is broken: see bursar audit verify" />
  ) : (
    <>
      <State mark="done" word="The chain is whole" />
      <span className="muted">
        verified <Time at={data.finished_at} ago />
      </span>
    </>
  );
}
