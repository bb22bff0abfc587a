/**
 * What the compiler must know of the client. It is never run: `npm run types` fails where a line does not compile, and where a line under
 * `@ts-expect-error` does. Run-time tests stand beside it.
 */
import {
  type Bursar,
  BursarError,
  type CreateWebhookEndpointRequest,
  decimal,
  type EventOf,
  fromMinor,
  type Payout,
} from '../src/bursar.ts';

export async function requests(bursar: Bursar, text: string): Promise<unknown> {
  const payout = await bursar.payouts.create({ amount: '250.00', currency: 'EUR', recipient: 'rcp_1' });
  const id: string = payout.id;
  const minor: number = payout.amount_minor;
  // @ts-expect-error an amount is text: nothing adds it up as a float
  const sum: number = payout.amount + 1;
  // @ts-expect-error a float is no amount
  await bursar.payouts.create({ amount: 250.5, currency: 'EUR', recipient: 'rcp_1' });
  // @ts-expect-error any text is no amount: decimal(text) makes sure
  await bursar.payouts.create({ amount: text, currency: 'EUR', recipient: 'rcp_1' });
  // An amount of an answer, of minor units and of text.
  await bursar.payouts.create({ amount: payout.amount, currency: 'EUR', recipient: 'rcp_1' });
  await bursar.payouts.create({ amount: fromMinor(minor, 'EUR'), currency: 'EUR', recipient: 'rcp_1' });
  await bursar.payouts.create({ amount: decimal(text), currency: 'EUR', recipient: 'rcp_1' }, { idempotencyKey: 'a' });
  // @ts-expect-error the recipient is missing
  await bursar.payouts.create({ amount: '5', currency: 'EUR' });
  // @ts-expect-error no such parameter
  await bursar.payouts.create({ amount: '5', currency: 'EUR', recipient: 'rcp_1', recipent: 'rcp_2' });
  const planned = await bursar.payouts.create({ amount: '5', currency: 'EUR', recipient: 'rcp_1', dry_run: true });
  planned.id satisfies null;
  // @ts-expect-error no such status
  bursar.payouts.list({ status: 'payed' });
  for await (const each of bursar.payouts.list({ status: ['paid', 'failed'], created: { gte: 5 } })) {
    each satisfies Payout;
  }
  // @ts-expect-error a list is read by `for await` or page by page
  await bursar.payouts.list().data;
  return [id, minor, sum, (await bursar.payouts.list().page()).data[0]?.status];
}

export async function events(bursar: Bursar): Promise<unknown> {
  for await (const event of bursar.events.stream({ types: ['payout.*'] }, { lastEventId: '7' })) {
    if (event.type === 'payout.failed') return event.data.object.failure_code;
    if (event.type === 'balance.updated') return event.data.previous_attributes.balance satisfies number;
    if (event.type === 'bank_entry.conflict_detected') {
      const { object } = event.data;
      return object.object === 'payout' ? object.amount_returned_minor : object.direction;
    }
    // @ts-expect-error no such type
    if (event.type === 'payout.payed') return null;
    // @ts-expect-error not every object has an amount
    event.data.object.amount satisfies unknown;
  }
  return ({ data }: EventOf<'payment.succeeded'>) => data.object.amount_minor satisfies number | null;
}

export function errors(error: unknown): string {
  if (BursarError.is(error, 'balance_insufficient', 'limit_exceeded')) {
    // @ts-expect-error not one of the two
    if (error.code === 'recipient_archived') return 'no';
    return `${error.code satisfies 'balance_insufficient' | 'limit_exceeded'} ${error.detail.available_minor}`;
  }
  // @ts-expect-error no such code
  if (BursarError.is(error, 'balance_insuficient')) return 'no';
  if (BursarError.is(error))
    return `${error.status} ${error.requestId} ${error.errors.map(({ param }) => param).join()}`;
  return String(error);
}

export async function calls(bursar: Bursar): Promise<unknown> {
  const canceled = await bursar.payouts.cancel('po_1', {}, { idempotencyKey: 'a', timeout: 5, apiKey: 'sk_test_1' });
  canceled.lastResponse.replayed satisfies boolean;
  canceled satisfies Payout;
  // @ts-expect-error an option among the parameters
  await bursar.payouts.cancel('po_1', { idempotencyKey: 'a' });
  // @ts-expect-error an operation without parameters
  await bursar.payouts.cancel('po_1', { reason: 'a' });
  const page = await bursar.limits.list({}, { maxRetries: 0 }).page();
  // @ts-expect-error an object in a list did not come by itself
  page.data[0]?.lastResponse satisfies unknown;
  // @ts-expect-error a limit is named: a list may be long
  await bursar.payouts.list().autoPagingToArray();
  // Null unsets, where the document says so.
  await bursar.accounts.update('acct_1', { metadata: null });
  // @ts-expect-error the currency of a payout is no such thing
  await bursar.payouts.create({ amount: 1, currency: null, recipient: 'rcp_1' });
  return page.lastResponse.headers.get('RateLimit');
}

type Chosen = NonNullable<CreateWebhookEndpointRequest['enabled_events']>[number];
/** Types, families and `*` are offered; any text is taken, for a type of next year. */
export const chosen: readonly Chosen[] = ['payout.paid', 'next.year'];
'payout.paid' satisfies Extract<Chosen, 'payout.paid'>;
'payout.*' satisfies Extract<Chosen, 'payout.*'>;
'*' satisfies Extract<Chosen, '*'>;
// @ts-expect-error no such type is offered
'payout.payed' satisfies Extract<Chosen, 'payout.payed'>;
