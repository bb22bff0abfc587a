/** One payment: how much, from whom, what happened, and the way to send it back. */
import { useParams } from 'wouter';
import type { Payment as PaymentObject } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { Action } from '../../ui/action.tsx';
import { useAsked } from '../../ui/asked.ts';
import { digitsOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { CopyAsCurl } from '../../ui/shell-text.tsx';
import { State } from '../../ui/state.tsx';
import { Time } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { leftOf } from './refund.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { standingOf } from './standing.ts';
import { Story, useEvents } from './story-card.tsx';
import { inFours, linkName, METHODS, paymentState } from './words.ts';

const FROM = { to: '/payments', word: 'Payments' };

export function Payment() {
  const { id = '' } = useParams();
  const may = useMay();
  const mayLink = may('payment_links:read');
  const mayAccount = may('accounts:read');
  const expand = [...(mayLink ? ['payment_link' as const] : []), ...(mayAccount ? ['account' as const] : [])];
  const payment = useRead(['payment', id, expand], (client) => client.payments.retrieve(id, { expand }));
  const events = useEvents(id);
  // Both at once, so that nothing moves when the second one comes.
  if (payment.data !== undefined && (!events.isPending || events.failureCount > 0))
    return <Found payment={payment.data} events={events} />;
  return <Unread title={shortId(id)} from={FROM} what="payments" read={payment} />;
}

interface FoundProps {
  readonly payment: PaymentObject;
  readonly events: ReturnType<typeof useEvents>;
}

function Found({ payment, events }: FoundProps) {
  const { id, amount_minor: minor, currency, payer } = payment;
  const may = useMay();
  const asked = useAsked<'refund'>();
  const standing = standingOf(payment);
  const name = payer.name ?? 'somebody not known yet';
  return (
    <Page
      title={`${digitsOf(minor, currency)} ${currency} from ${name}`}
      heading={<Money minor={minor} currency={currency} size="big" />}
      from={FROM}
      about={
        <>
          <span>
            from <bdi>{name}</bdi>
          </span>
          {payer.account_last4 !== null && <span className="muted">···{payer.account_last4}</span>}
          <State {...paymentState(payment)} />
        </>
      }
      actions={
        <>
          {leftOf(payment) > 0n && (
            <Action
              variant="default"
              reason={may('payments:write') ? null : 'Your role may not refund.'}
              onClick={() => asked.ask('refund')}
            >
              Refund
            </Action>
          )}
          <CopyAsCurl path={`/v1/payments/${id}`} />
        </>
      }
    >
      {standing !== null && (
        <div className={`notice ${standing.tone}`}>
          <strong>{standing.title}</strong>
          {standing.text}
        </div>
      )}
      <div className="columns">
        <Story events={events} />
        <Card title="Details">
          <Details payment={payment} />
        </Card>
      </div>
      <RefundDialog payment={payment} {...asked.of('refund')} />
    </Page>
  );
}

function Details({ payment }: { readonly payment: PaymentObject }) {
  const { currency, expanded, fees } = payment;
  const sum = (minor: number) => (minor === 0 ? null : <Money key="" minor={minor} currency={currency} />);
  const fee = fees.reduce((all, { amount_minor: each }) => all + BigInt(each), 0n);
  const link = expanded?.payment_link;
  return (
    <Facts
      rows={[
        [
          'For',
          <Go key="" to={`/payment-links/${payment.payment_link}`}>
            <bdi>{link === undefined ? shortId(payment.payment_link) : linkName(link)}</bdi>
          </Go>,
        ],
        ['Your reference', (link?.reference ?? null) === null ? null : <bdi key="">{link?.reference}</bdi>],
        [
          'Payer’s reference',
          <span key="" className="mono">
            {inFours(payment.reference)}
          </span>,
        ],
        ['Way', METHODS[payment.method]],
        ['Came', sum(payment.amount_received_minor)],
        ['Went back', sum(payment.amount_refunded_minor)],
        ['Fee', fee === 0n ? null : <Money key="" minor={fee} currency={currency} />],
        [
          'Account',
          <Go key="" to={`/accounts/${payment.account}`}>
            {expanded?.account?.name ?? shortId(payment.account)}
          </Go>,
        ],
        ['Began', <Time key="" at={payment.created} />],
        ['Paid', payment.paid_at === null ? null : <Time key="" at={payment.paid_at} />],
        ['Waits until', payment.expires_at === null ? null : <Time key="" at={payment.expires_at} />],
        ['Came first', payment.duplicate_of === null ? null : <Id key="" id={payment.duplicate_of} />],
        ['Last refund', payment.refund === null ? null : <Id key="" id={payment.refund} />],
        ['Id', <Id key="" id={payment.id} whole here />],
        ...Object.entries(payment.metadata).map(
          ([key, value]) => [`metadata.${key}`, <bdi key="">{value}</bdi>] as const,
        ),
      ]}
    />
  );
}
