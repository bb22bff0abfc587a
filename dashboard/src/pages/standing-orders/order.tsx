/** One standing order: when it runs next, what became of the days behind it, and what can be done. */
import { useParams } from 'wouter';
import type { StandingOrder as Order } from '../../../../client/src/generated/types.ts';
import { useRead } from '../../api/reads.ts';
import { countOf, digitsOf } from '../../ui/digits.ts';
import { categoryWord } from '../../ui/words.ts';
import { Go } from '../../ui/go.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { State } from '../../ui/state.tsx';
import { Day, Time } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { Who } from '../../ui/who.tsx';
import { Actions } from './actions.tsx';
import { nextIfResumed } from './calendar.ts';
import { Days } from './days.tsx';
import { Payee, usePayeeName } from './payee.tsx';
import { Runs } from './runs.tsx';
import { useToday } from './today.ts';
import { orderState, rhythmOf, whyText } from './words.ts';

const FROM = { to: '/standing-orders', word: 'Standing orders' };

export function StandingOrder() {
  const { id = '' } = useParams();
  const order = useRead(['standing_order', id], (client) => client.standingOrders.retrieve(id));
  if (order.data !== undefined) return <Found key={id} order={order.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this standing order" read={order} />;
}

function Found({ order }: { readonly order: Order }) {
  const { amount_minor: minor, currency, recipient, status } = order;
  const today = useToday();
  const next = status === 'paused' ? nextIfResumed(order, today) : order.next_run_on;
  const name = usePayeeName(recipient) ?? 'somebody';
  return (
    <Page
      title={`${digitsOf(minor, currency)} ${currency} to ${name}, standing order`}
      heading={<Money minor={minor} currency={currency} size="big" />}
      from={FROM}
      about={
        <>
          <span>
            to{' '}
            {recipient === null ? (
              <Payee id={null} />
            ) : (
              <Go to={`/recipients/${recipient}`}>
                <Payee id={recipient} />
              </Go>
            )}
          </span>
          <span className="muted">{rhythmOf(order)}</span>
          <State {...orderState(order)} />
        </>
      }
      actions={<Actions order={order} />}
    >
      <Standing order={order} />
      <div className="columns">
        <div className="stack">
          {next !== null && (
            <Card title={status === 'paused' ? 'If it is resumed now' : 'Coming days'}>
              <Days plan={order} from={next} />
            </Card>
          )}
          <Runs order={order} />
        </div>
        <Card title="Details">
          <Details order={order} />
        </Card>
      </div>
    </Page>
  );
}

/** Why it stands still, and what to do. Nothing where it runs as it should. */
function Standing({ order }: { readonly order: Order }) {
  const { status, paused_reason, canceled_reason, last_failure: failure } = order;
  if (status === 'paused' && paused_reason === 'failures')
    return (
      <div className="notice bad">
        <strong>It was paused, because three days in a row made no payout.</strong>
        {failure !== null && <>{whyText(failure.message)} </>}
        Nothing is paid until somebody resumes it. What these days did not pay is not made up: pay it by hand if it is
        still due.
      </div>
    );
  if (status === 'paused')
    return (
      <div className="notice wait">
        <strong>It is paused.</strong>
        Nothing is paid until somebody resumes it, and the days until then are left out.
      </div>
    );
  if (status === 'canceled' && canceled_reason === 'recipient_redacted')
    return (
      <div className="notice">
        <strong>It ended, because the recipient was erased.</strong>
      </div>
    );
  if (status === 'active' && failure !== null)
    return (
      <div className="notice bad">
        <strong>
          No payout was made on <Day on={failure.planned_on} />.
        </strong>
        {whyText(failure.message)} That day is not tried again: pay it by hand if it is still due. The third such day in
        a row pauses the order.
      </div>
    );
  return null;
}

function Details({ order }: { readonly order: Order }) {
  const { starts_on: first, ends_on: last, count, runs_count, failed_count, skipped_count } = order;
  const number = (value: number) => (value === 0 ? null : countOf(value));
  const hasBegun = first <= useToday();
  const account = useRead(['account', order.account], (client) => client.accounts.retrieve(order.account));
  return (
    <Facts
      rows={[
        [
          'From',
          <Go key="" to={`/accounts/${order.account}`}>
            {account.data === undefined ? shortId(order.account) : accountName(account.data)}
          </Go>,
        ],
        ['Reference', order.reference === null ? null : <bdi key="">{order.reference}</bdi>],
        ['On their statement', order.statement_descriptor],
        [hasBegun ? 'Began' : 'Begins', <Day key="" on={first} />],
        ['Last day', last === null ? null : <Day key="" on={last} />],
        ['Days in all', count === null ? null : countOf(count)],
        ['Payouts made', number(runs_count)],
        ['Days without one', number(failed_count)],
        ['Days left out', number(skipped_count)],
        ['Speed', order.speed === 'standard' ? null : order.speed],
        ['Category', categoryWord(order.category_purpose)],
        ['Purpose', order.purpose],
        ['Ordered by', <Who key="" actor={order.ordered_by} />],
        ['Created', <Time key="" at={order.created} />],
        ['Created by', order.created_by === order.ordered_by ? null : <Who key="" actor={order.created_by} />],
        ['Ended', order.ended_at === null ? null : <Time key="" at={order.ended_at} />],
        ['Id', <Id key="" id={order.id} whole here />],
        ...Object.entries(order.metadata).map(
          ([name, value]) => [`metadata.${name}`, <bdi key="">{value}</bdi>] as const,
        ),
      ]}
    />
  );
}
