/** One expected payment: what is missing, the reference and the code to print on an invoice, and what came for it. */
import { notifications } from '@mantine/notifications';
import { useParams } from 'wouter';
import type { ExpectedPayment as ExpectedObject } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { digitsOf } from '../../ui/digits.ts';
import { Copy, Id, shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { Day, Time } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { Came } from './came.tsx';
import { useBankingCode } from './banking-code.ts';
import classes from './payments.module.css';
import { Print, Sheet } from './sheet.tsx';
import { Story, useEvents } from './story-card.tsx';
import { expectedName, expectedState, inFours } from './words.ts';

const FROM = { to: '/expected-payments', word: 'Expected payments' };

export function ExpectedPayment() {
  const { id = '' } = useParams();
  const expected = useRead(['expected_payments', id], (client) => client.expectedPayments.retrieve(id));
  const events = useEvents(id);
  // Both at once, so that nothing moves when the second one comes.
  if (expected.data !== undefined && (!events.isPending || events.failureCount > 0))
    return <Found expected={expected.data} events={events} />;
  return <Unread title={shortId(id)} from={FROM} what="expected payments" read={expected} />;
}

interface FoundProps {
  readonly expected: ExpectedObject;
  readonly events: ReturnType<typeof useEvents>;
}

function Found({ expected, events }: FoundProps) {
  const { id, amount_minor: minor, currency, payer, status } = expected;
  const may = useMay();
  const asked = useAsked<'cancel'>();
  const isWaiting = status === 'open' || status === 'partially_paid' || status === 'overdue';
  const missing = BigInt(minor) - BigInt(expected.amount_received_minor);
  const cancel = useWrite(async (client, options) => {
    const after = await client.expectedPayments.cancel(id, {}, options);
    notifications.show({ message: 'Canceled.' });
    return after;
  });
  return (
    <Page
      title={expectedName(expected)}
      heading={<Money minor={minor} currency={currency} size="big" />}
      from={FROM}
      about={
        <>
          <span>
            {payer === null ? (
              'from anybody'
            ) : (
              <>
                from <bdi>{payer}</bdi>
              </>
            )}
          </span>
          <State {...expectedState(expected)} />
        </>
      }
      actions={
        isWaiting && (
          <>
            <Print />
            <Action
              variant="default"
              reason={may('payments:write') ? null : 'Your role may not cancel.'}
              onClick={() => asked.ask('cancel')}
            >
              Cancel
            </Action>
          </>
        )
      }
    >
      {status === 'overdue' && (
        <div className="notice bad">
          <strong>
            {digitsOf(missing, currency)} {currency} is overdue.
          </strong>
          It was to come by <Day on={expected.due_on} />.
        </div>
      )}
      <div className="columns">
        <div className="stack">
          {isWaiting && <ToThePayer expected={expected} missing={missing} />}
          <Came expected={expected} events={events.data ?? []} />
          <Story events={events} />
        </div>
        <Card title="Details">
          <Details expected={expected} />
        </Card>
      </div>
      <Confirm
        title="Cancel this expected payment"
        verb="Cancel it"
        isDangerous
        isOpen={asked.of('cancel').isOpen}
        close={asked.of('cancel').close}
        write={cancel}
        input={undefined}
      >
        <p>Money that has come stays. Money that names its reference from now on waits under Unmatched.</p>
      </Confirm>
    </Page>
  );
}

function ToThePayer({ expected, missing }: { readonly expected: ExpectedObject; readonly missing: bigint }) {
  const { reference, currency } = expected;
  const picture = useBankingCode(expected);
  const code = picture.src !== undefined && (
    <img src={picture.src} alt="Code for banking apps: account, amount and reference" />
  );
  return (
    <Card title="To the payer">
      <div className={classes['code']}>
        {code}
        <div className="stack">
          <div>
            <span className="mono">{inFours(reference)}</span> <Copy text={reference} what="the reference" />
          </div>
          <p className="muted small">
            The transfer has to name this reference.
            {picture.src !== undefined && ' The code is for banking apps and asks for what is missing.'}
            {picture.why !== undefined && ` ${picture.why}`}
          </p>
        </div>
      </div>
      <Sheet
        amount={<Money minor={missing} currency={currency} size="big" />}
        reference={inFours(reference)}
        code={code}
      />
    </Card>
  );
}

function Details({ expected }: { readonly expected: ExpectedObject }) {
  const { currency, amount_received_minor: received } = expected;
  return (
    <Facts
      rows={[
        ['For', expected.description === null ? null : <bdi key="">{expected.description}</bdi>],
        ['Came', received === 0 ? null : <Money key="" minor={received} currency={currency} />],
        ['Due', expected.due_on === null ? null : <Day key="" on={expected.due_on} />],
        [
          'Reference',
          <span key="" className="mono">
            {inFours(expected.reference)}
          </span>,
        ],
        ['Account', <Id key="" id={expected.account} />],
        ['Created', <Time key="" at={expected.created} />],
        ['Paid', expected.paid_at === null ? null : <Time key="" at={expected.paid_at} />],
        ['Id', <Id key="" id={expected.id} whole here />],
        ...Object.entries(expected.metadata).map(
          ([key, value]) => [`metadata.${key}`, <bdi key="">{value}</bdi>] as const,
        ),
      ]}
    />
  );
}
