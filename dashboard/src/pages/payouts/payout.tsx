/** One payout: the amount, to whom, where the money is in words, what happened, and what can be done. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { Payout as PayoutObject } from '../../../../client/src/generated/types.ts';
import { get } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import type { History } from '../../api/shapes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { categoryWord } from '../../ui/words.ts';
import { Go } from '../../ui/go.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { accountEnd } from '../../ui/payout-columns.tsx';
import { isHeld, payoutState } from '../../ui/payout-words.ts';
import { type Mark, State } from '../../ui/state.tsx';
import { Day, Time } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { Who } from '../../ui/who.tsx';
import { digitsOf, withAmounts } from '../../ui/digits.ts';
import { Unread } from '../../ui/unread.tsx';
import { Actions } from './actions.tsx';
import { Around } from './around.tsx';

const FROM = { to: '/payouts', word: 'Payouts' };

export function Payout() {
  const { id = '' } = useParams();
  const payout = useRead(['payout', id], (client) =>
    client.payouts.retrieve(id, { expand: ['account', 'recipient', 'created_by'] }),
  );
  const history = useRead(['payout', id, 'history'], (client) => get<History>(client, `/v1/payouts/${id}/history`));
  // Both at once, so that nothing moves when the second one comes.
  if (payout.data !== undefined && (!history.isPending || history.failureCount > 0))
    return <Found payout={payout.data} history={history} />;
  return <Unread title={shortId(id)} from={FROM} what="payouts" read={payout} />;
}

interface FoundProps {
  readonly payout: PayoutObject;
  readonly history: Pick<UseQueryResult<History>, 'data' | 'error' | 'refetch'>;
}

function Found({ payout, history }: FoundProps) {
  const { amount_minor: minor, currency, destination, recipient } = payout;
  const { data: story, error } = history;
  const said = (text: string) => withAmounts(text, story?.amounts ?? []);
  const name = destination?.name ?? 'somebody who is not shown to you';
  return (
    <Page
      title={`${digitsOf(minor, currency)} ${currency} to ${name}`}
      heading={<Money minor={minor} currency={currency} size="big" />}
      from={FROM}
      about={
        <>
          <span>
            to <bdi>{recipient === null ? name : <Go to={`/recipients/${recipient}`}>{name}</Go>}</bdi>
          </span>
          {destination !== null && <span className="muted">{accountEnd(destination)}</span>}
          <State {...payoutState(payout)} />
        </>
      }
      actions={<Actions payout={payout} />}
    >
      {story !== undefined && <Summary text={said(story.summary)} tone={toneOf(payout)} />}
      <div className="columns">
        <div className="stack">
          <Card title="What happened">
            {story === undefined && error === null && <Loading lines={3} />}
            {story === undefined && error !== null && (
              <Failed error={error} again={() => void history.refetch()} what="the story" />
            )}
            <Timeline
              entries={(story?.data ?? []).map((entry, at) => ({
                key: `${at}`,
                at: entry.at,
                mark: MARKS[entry.kind] ?? 'done',
                text: said(entry.text),
                ...aboutOf(entry),
              }))}
            />
          </Card>
          <Around payout={payout} />
        </div>
        <Card title="Details">
          <Details payout={payout} />
        </Card>
      </div>
    </Page>
  );
}

const MARKS: Readonly<Record<string, Mark>> = {
  held: 'wait',
  sent: 'going',
  failed: 'bad',
  returned: 'bad',
  delivery: 'bad',
  rejected: 'off',
  canceled: 'off',
};

const toneOf = (payout: PayoutObject): string =>
  payoutState(payout).mark === 'bad' ? 'bad' : isHeld(payout) || payout.status === 'waiting' ? 'wait' : '';

/** Where the money is and what to do: the sentence to read out. */
function Summary({ text, tone }: { readonly text: string; readonly tone: string }) {
  const [title, rest] = sentencesOf(text);
  return (
    <div className={`notice ${tone}`}>
      <strong>{title}</strong>
      {rest}
    </div>
  );
}

/** The first sentence, and the rest. */
function sentencesOf(summary: string): readonly [title: string, text: string] {
  const end = /[.!?](?=\s)/.exec(summary);
  return end === null ? [summary, ''] : [summary.slice(0, end.index + 1), summary.slice(end.index + 1).trim()];
}

/** Ids that an entry names, of things that have a page; by whom where the sentence does not say it. */
function aboutOf({ actor, actor_name: name, text, refs }: History['data'][number]) {
  const ids = Object.values(refs).filter((id): id is string => id !== null && /^(?:evt|pf|be|lim|pob)_/.test(id));
  const by = name === null ? actor : text.includes(name) ? null : name;
  if (ids.length === 0 && by === null) return {};
  return {
    about: (
      <>
        {by !== null && (/^(?:key|usr)_/.test(by) ? <Id id={by} /> : `by ${by === 'worker' ? 'the service' : by}`)}
        {by !== null && ids.length > 0 && ' · '}
        {ids.map((id) => (
          <Id key={id} id={id} />
        ))}
      </>
    ),
  };
}

function Details({ payout }: { readonly payout: PayoutObject }) {
  const { destination, release, expanded } = payout;
  return (
    <Facts
      rows={[
        [
          'From',
          <Go key="" to={`/accounts/${payout.account}`}>
            {expanded?.account?.name ?? shortId(payout.account)}
          </Go>,
        ],
        ['Reference', payout.reference === null ? null : <bdi key="">{payout.reference}</bdi>],
        [
          'Your id',
          payout.external_id === null ? null : (
            <span key="" className="mono">
              {payout.external_id}
            </span>
          ),
        ],
        ['Created', <Time key="" at={payout.created} />],
        [
          'By',
          payout.created_by === null ? null : <Who key="" actor={payout.created_by} named={expanded?.created_by} />,
        ],
        ['Leaves', payout.scheduled_on === null ? null : <Day key="" on={payout.scheduled_on} />],
        ['Arrives by', payout.expected_arrival_on === null ? null : <Day key="" on={payout.expected_arrival_on} />],
        ['Ended', payout.ended_at === null ? null : <Time key="" at={payout.ended_at} />],
        ['Speed', payout.speed === 'standard' ? null : payout.speed],
        ['Way', destination === null ? null : WAYS[destination.scheme]],
        ['Bank', destination?.bank ?? null],
        ['Name check', payout.payee_check === null ? null : NAME_CHECKS[payout.payee_check.result]],
        ['Purpose', payout.purpose],
        ['Category', categoryWord(payout.category_purpose)],
        ['Held for', release === null ? null : <Reasons key="" reasons={release.reasons} />],
        [
          'Came back',
          payout.amount_returned_minor === 0 ? null : (
            <Money key="" minor={payout.amount_returned_minor} currency={payout.currency} />
          ),
        ],
        [
          'Bank said',
          payout.bank_reason === null ? null : [payout.bank_reason.code, payout.bank_reason.text].join(' '),
        ],
        [
          'Failure code',
          payout.failure_code === null ? null : (
            <span key="" className="mono">
              {payout.failure_code}
            </span>
          ),
        ],
        [
          'Batch',
          payout.batch === null ? null : (
            <Go key="" to={`/payouts?batch=${payout.batch}`}>
              {shortId(payout.batch)}
            </Go>
          ),
        ],
        ['Standing order', payout.standing_order === null ? null : <Id key="" id={payout.standing_order} />],
        ['Exchange', payout.exchange === null ? null : <Id key="" id={payout.exchange} />],
        ['Refund of', payout.refund_of === null ? null : <Id key="" id={payout.refund_of} />],
        ['Id', <Id key="" id={payout.id} whole here />],
        ...Object.entries(payout.metadata).map(
          ([name, value]) => [`metadata.${name}`, <bdi key="">{value}</bdi>] as const,
        ),
      ]}
    />
  );
}

const WAYS: Readonly<Record<string, string>> = { sepa: 'SEPA', local: 'Local transfer', swift: 'SWIFT' };
const NAME_CHECKS: Readonly<Record<string, string>> = {
  match: 'The name is that of the account',
  close_match: 'The name is nearly that of the account',
  no_match: 'The name is not that of the account',
  not_possible: 'The bank did not say',
};

function Reasons({ reasons }: { readonly reasons: readonly string[] }) {
  return reasons.map((reason) => (
    <div key={reason}>
      {reason === 'new_recipient' ? (
        'a new recipient'
      ) : reason === 'changed_recipient' ? (
        'changed bank details'
      ) : (
        <>
          limit <Id id={reason} />
        </>
      )}
    </div>
  ));
}
