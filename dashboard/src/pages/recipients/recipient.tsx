/** One recipient: where money goes, when that changed, and what was paid. */
import { useParams } from 'wouter';
import type {
  Event,
  Payout,
  Recipient as RecipientObject,
  RecipientVersion,
} from '../../../../client/src/generated/types.ts';
import { get, pageAt } from '../../api/client.ts';
import { useList, useRead } from '../../api/reads.ts';
import { Empty } from '../../ui/conditions.tsx';
import { Go } from '../../ui/go.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { List } from '../../ui/list-page.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { payoutColumns, payoutHref } from '../../ui/payout-columns.tsx';
import { stateOf } from '../../ui/payout-words.ts';
import { State } from '../../ui/state.tsx';
import { Time } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { Who } from '../../ui/who.tsx';
import { accountEndOf, shown, wordOf } from '../../ui/bank-details.ts';
import { Unread } from '../../ui/unread.tsx';
import { Actions } from './actions.tsx';
import { changesIn } from './changes.ts';

const FROM = { to: '/recipients', word: 'Recipients' };

export function Recipient() {
  const { id = '' } = useParams();
  const recipient = useRead(['recipient', id], (client) => client.recipients.retrieve(id));
  if (recipient.data !== undefined) return <Found recipient={recipient.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this recipient" read={recipient} />;
}

/** Whom it pays stands above the list. */
const COLUMNS = payoutColumns
  .filter(({ key }) => key !== 'to' && key !== 'account')
  .map((column) =>
    column.key === 'reference'
      ? {
          ...column,
          phone: 'top-left' as const,
          // The first column is the link of its row, so there is always something to read.
          cell: ({ id, reference }: Payout) => <bdi className="muted">{reference ?? shortId(id)}</bdi>,
        }
      : column.key === 'created'
        ? { ...column, phone: 'bottom-left' as const }
        : column,
  );

function Found({ recipient }: { readonly recipient: RecipientObject }) {
  const { id, name } = recipient;
  const payouts = useList<Payout>(['payouts', { recipient: id }], (client) =>
    pageAt(client, '/v1/payouts', { recipient: id, limit: 25 }),
  );
  return (
    <Page
      title={name}
      heading={<bdi>{name}</bdi>}
      from={FROM}
      actions={<Actions recipient={recipient} />}
      about={
        <>
          <span className="muted">
            {accountEndOf(recipient)} · {recipient.currency}
          </span>
          <State {...stateOf(recipient.status)} />
        </>
      }
    >
      {recipient.duplicate_of !== null && recipient.status === 'active' && (
        <div className="notice">
          <strong>Another recipient has the same bank account.</strong>
          <Id id={recipient.duplicate_of} />
        </div>
      )}
      <div className="columns">
        <div className="stack">
          <Card
            flush
            title="Payouts"
            aside={payouts.rows.length > 0 && <Go to={`/payouts?recipient=${id}`}>All of them</Go>}
          >
            <List
              words={['payout', 'payouts']}
              label={`Payouts to ${name}`}
              list={{ ...payouts, rows: payouts.rows.slice(0, 25), hasMore: false }}
              lines={5}
              columns={COLUMNS}
              hrefOf={payoutHref}
              empty={<Empty>Nothing has been paid to them yet.</Empty>}
              counts={false}
            />
          </Card>
        </div>
        <div className="stack">
          <Card title="Bank details">
            <Details recipient={recipient} />
          </Card>
          <Versions id={id} country={recipient.country} />
          <Changes id={id} />
        </div>
      </div>
    </Page>
  );
}

function Details({ recipient }: { readonly recipient: RecipientObject }) {
  const { address } = recipient;
  return (
    <Facts
      rows={[
        ...Object.entries(recipient.bank_details).map(
          ([member, value]) =>
            [
              wordOf(member),
              <span key="" className={member === 'bank_name' ? undefined : 'mono'}>
                {shown(value)}
              </span>,
            ] as const,
        ),
        ['Country', recipient.country],
        ['Currency', recipient.currency],
        ['Type', recipient.type === 'company' ? 'Company' : 'Person'],
        ['E-mail', recipient.email],
        ['In Latin letters', recipient.latin_name],
        [
          'Address',
          address === null
            ? null
            : Object.values(address)
                .filter((each) => typeof each === 'string' && each !== '')
                .join(', '),
        ],
        ['Created', <Time key="" at={recipient.created} />],
        ['By', recipient.created_by === null ? null : <Who key="" actor={recipient.created_by} />],
        ['Id', <Id key="" id={recipient.id} whole here />],
        ...Object.entries(recipient.metadata).map(
          ([key, value]) => [`metadata.${key}`, <bdi key="">{value}</bdi>] as const,
        ),
      ]}
    />
  );
}

/** As it was from some time on: who was paid, and where. Nothing where it was never another. */
function Versions({ id, country }: { readonly id: string; readonly country: string }) {
  const versions = useRead(['recipient', id, 'versions'], (client) =>
    get<{ readonly data: readonly RecipientVersion[] }>(client, `/v1/recipients/${id}/versions`),
  );
  const all = versions.data?.data ?? [];
  if (all.length < 2) return null;
  return (
    <Card title="Who was paid, and where">
      <Timeline
        entries={all.map(({ version, created, name, bank_details }, nth) => ({
          key: `${version}`,
          at: created,
          mark: nth === 0 ? 'done' : 'off',
          text: (
            <>
              <bdi>{name}</bdi> · {accountEndOf({ country, bank_details })}
            </>
          ),
          ...(nth === 0 && { about: 'now' }),
        }))}
      />
    </Card>
  );
}

/** From its events, as long as they are kept. */
function Changes({ id }: { readonly id: string }) {
  const events = useRead(['recipient', id, 'events'], (client) =>
    pageAt<Event>(client, '/v1/events', { related_object: id, limit: 100 }),
  );
  if (events.data === undefined) return null;
  const entries = events.data.data.flatMap((event) => {
    const text = changesIn(event);
    if (text === null) return [];
    const { actor } = event.request;
    return [{ key: event.id, at: event.created, text, ...(actor !== null && { about: <Who actor={actor} /> }) }];
  });
  if (entries.length === 0) return null;
  return (
    <Card title="History">
      <Timeline entries={entries} />
    </Card>
  );
}
