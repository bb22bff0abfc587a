/** One payment link: its address and code to hand on, what came in by it, and the way to end it. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useParams } from 'wouter';
import type { Payment, PaymentLink as PaymentLinkObject } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useList, useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Qr } from '../../factors/qr.tsx';
import { Action } from '../../ui/action.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Empty } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { countOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Copy, Id, shortId } from '../../ui/id.tsx';
import { List } from '../../ui/list-page.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { Time } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { PAYMENT_COLUMNS, paymentHref } from './payment-columns.tsx';
import classes from './payments.module.css';
import { Print, Sheet } from './sheet.tsx';
import { linkName, linkState } from './words.ts';

const FROM = { to: '/payment-links', word: 'Payment links' };
/** What it is for stands above the list. */
const WIDTHS: Readonly<Record<string, string>> = {
  from: '30%',
  state: '24%',
  created: '20%',
  amount: '26%',
  received: '26%',
};
/** What is asked for stands above as well, but where the payer chose it. */
const columnsOf = ({ amount_type: type }: PaymentLinkObject) =>
  PAYMENT_COLUMNS.filter(({ key }) => key !== 'for' && key !== (type === 'open' ? 'received' : 'amount')).map(
    (column) => ({
      ...column,
      width: WIDTHS[column.key] ?? '20%',
      ...(column.key === 'created' && { phone: 'bottom-left' as const }),
      ...(column.key === 'received' && { phone: 'top-right' as const }),
    }),
  );

export function PaymentLink() {
  const { id = '' } = useParams();
  const link = useRead(['payment_link', id], (client) => client.paymentLinks.retrieve(id));
  if (link.data !== undefined) return <Found link={link.data} />;
  return <Unread title={shortId(id)} from={FROM} what="payment links" read={link} />;
}

function Found({ link }: { readonly link: PaymentLinkObject }) {
  const { id, active } = link;
  const may = useMay();
  const asked = useAsked<'deactivate'>();
  const deactivate = useWrite(async (client, options) => {
    const after = await client.paymentLinks.deactivate(id, {}, options);
    notifications.show({ message: 'Deactivated.' });
    return after;
  });
  return (
    <Page
      title={linkName(link)}
      heading={<Asked link={link} size="big" />}
      from={FROM}
      about={
        <>
          <span>
            for <bdi>{linkName(link)}</bdi>
          </span>
          <State {...linkState(link)} />
        </>
      }
      actions={
        active && (
          <>
            <Print />
            <Action
              variant="default"
              reason={may('payment_links:write') ? null : 'Your role may not deactivate links.'}
              onClick={() => asked.ask('deactivate')}
            >
              Deactivate
            </Action>
          </>
        )
      }
    >
      <div className="columns">
        <div className="stack">
          <Card title="To the payer">
            <Address link={link} />
          </Card>
          {may('payments:read') && <PaymentsOf link={link} />}
        </div>
        <Card title="Details">
          <Details link={link} />
        </Card>
      </div>
      <Confirm
        title="Deactivate this link"
        verb="Deactivate"
        isDangerous
        isOpen={asked.of('deactivate').isOpen}
        close={asked.of('deactivate').close}
        write={deactivate}
        input={undefined}
      >
        <p>
          Nobody can begin to pay by it any more, and its page says so. Who has begun may go on, since the money may be
          on its way. A link that was deactivated stays so.
        </p>
      </Confirm>
    </Page>
  );
}

/** What the payer is asked for; where the payer chooses, within which bounds. */
function Asked({ link, size }: { readonly link: PaymentLinkObject; readonly size?: 'big' | 'large' }) {
  const { amount_minor: minor, minimum_amount_minor: least, maximum_amount_minor: most, currency } = link;
  const money = (of: number) => <Money minor={of} currency={currency} {...(size !== undefined && { size })} />;
  if (minor !== null) return money(minor);
  if (least === null && most === null) return <>Any amount in {currency}</>;
  return (
    <>
      {least !== null && money(least)}
      {least !== null && (most === null ? ' or more' : ' to ')}
      {most !== null && (
        <>
          {least === null && 'Up to '}
          {money(most)}
        </>
      )}
    </>
  );
}

/** The address is of the service; one that is no web page is text. */
function Address({ link }: { readonly link: PaymentLinkObject }) {
  const { url, active, status } = link;
  if (!active) {
    return (
      <p className="muted">
        {status === 'completed'
          ? 'It was paid. Nobody can pay by it again.'
          : 'Nobody can begin to pay by it any more, and its page says so.'}
      </p>
    );
  }
  const code = <Qr text={url} label="Code with the address of the page" />;
  const isPage = /^https?:\/\//.test(url);
  return (
    <div className={classes['code']}>
      {code}
      <div className="stack">
        <div className={`${classes['address']} mono`}>
          {url} <Copy text={url} what="the address" />
        </div>
        {isPage && (
          <div>
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              variant="default"
              leftSection={<Icon name="external" size={16} />}
            >
              Open the page
            </Button>
          </div>
        )}
        <p className="muted small">Everybody who has the address can pay. On paper: amount, reference and code.</p>
      </div>
      <Sheet amount={<Asked link={link} size="big" />} reference={link.reference} code={code} />
    </div>
  );
}

function PaymentsOf({ link }: { readonly link: PaymentLinkObject }) {
  const { id } = link;
  const list = useList<Payment>(['payments', { payment_link: id }], (client) =>
    pageAt(client, '/v1/payments', { payment_link: id, limit: 25 }),
  );
  return (
    <Card
      flush
      title="Payments"
      aside={list.rows.length > 0 && <Go to={`/payments?payment_link=${id}`}>All of them</Go>}
    >
      <List
        words={['payment', 'payments']}
        label="Payments by this link"
        list={{ ...list, hasMore: false }}
        lines={4}
        columns={columnsOf(link)}
        hrefOf={paymentHref}
        empty={<Empty>Nobody has begun to pay by it yet.</Empty>}
        counts={false}
      />
    </Card>
  );
}

function Details({ link }: { readonly link: PaymentLinkObject }) {
  const {
    reusable,
    max_payments: most,
    payments_count: paid,
    open_payments_count: open,
    after_completion: after,
  } = link;
  const url = after.redirect?.url;
  return (
    <Facts
      rows={[
        ['Your reference', link.reference === null ? null : <bdi key="">{link.reference}</bdi>],
        ['For', reusable ? (most === null ? 'any number of payments' : `${countOf(most)} payments`) : 'one payment'],
        ['Paid', paid === 0 || !reusable ? null : `${countOf(paid)} times`],
        ['Under way', open === 0 ? null : countOf(open)],
        [
          'Came',
          link.amount_received_minor === 0 ? null : (
            <Money key="" minor={link.amount_received_minor} currency={link.currency} />
          ),
        ],
        ['Account', <Id key="" id={link.account} />],
        ['Payer', link.customer_email === null ? null : <bdi key="">{link.customer_email}</bdi>],
        ['After paying', after.message === null ? null : <bdi key="">{after.message}</bdi>],
        ['Leads to', url === undefined ? null : <bdi key="">{url}</bdi>],
        ['Created', <Time key="" at={link.created} />],
        ['Until', link.expires_at === null ? null : <Time key="" at={link.expires_at} />],
        ['Ended', link.ended_at === null ? null : <Time key="" at={link.ended_at} />],
        ['Id', <Id key="" id={link.id} whole here />],
        ...Object.entries(link.metadata).map(([key, value]) => [`metadata.${key}`, <bdi key="">{value}</bdi>] as const),
      ]}
    />
  );
}
