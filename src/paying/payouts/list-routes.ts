/** The list of payouts. Its filters have indexes in the order of the list (migrations/0120_payout_filters.sql and later). */
import type { Currency } from '../../core/values/currencies.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { FAILURE_CODES } from '../../core/rails/failures.ts';
import { CATEGORY_PURPOSES } from '../../core/rails/purposes.ts';
import { type Condition, inOrder } from '../../platform/db/wire/page.ts';
import { expandIn } from '../../platform/http/expand.ts';
import { type ListQuery, listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import {
  actorId,
  amount,
  amountIn,
  choice,
  currency,
  id,
  oneOf,
  paramError,
  text,
} from '../../platform/http/request/params.ts';
import { answersList, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { lineMates, readsOf, type Service, withoutPayroll } from '../../platform/http/service.ts';
import { PAYOUT, PAYOUT_STATUSES, RELEASE_STATUSES } from './fields.ts';
import { isRepeatableWith, PAYOUT_EXPANDABLE } from './schema.ts';
import { accountsIn, MAX_ACCOUNTS_OF_CURRENCY, OF_ACCOUNTS, PAYOUTS, RELEASE_STATUS } from './sql.ts';

const FILTERS = listParams('po', {
  status: oneOf(PAYOUT_STATUSES, { description: 'Only in this state.' }),
  release: oneOf(RELEASE_STATUSES, { description: 'Only payouts whose `release.status` this is.' }),
  account: id('acct', { description: 'Only payouts that debit this account.' }),
  recipient: id('rcp', { description: 'Only payouts to this recipient.' }),
  batch: id('pob', { description: 'Only payouts of this batch.' }),
  standing_order: id('so', { description: 'Only payouts that this standing order made.' }),
  created_by: actorId({
    description: 'Only payouts that this key made, or one that it was rolled from or to; or this user.',
  }),
  amount: choice(amount({ description: 'Only payouts of this amount in major units. Needs one `currency`.' })),
  currency: currency({ description: 'Only of this currency.' }),
  failure_code: oneOf(Object.keys(FAILURE_CODES), {
    description: 'Only payouts that failed or came back for this reason.',
  }),
  category_purpose: oneOf(CATEGORY_PURPOSES, { description: 'Only payouts of this category.' }),
  reference: text({ max: 140, description: 'Only payouts with exactly this text for the recipient.' }),
  external_id: text({ kind: 'code', max: 100, description: 'Only the payout with your own id.' }),
  ...expandIn(PAYOUT_EXPANDABLE),
});
/** Those of the index payouts_status. The others are found by walking the list. */
const RARE_STATUSES: readonly string[] = ['waiting', 'failed', 'canceled', 'returned'];
type Filters = ReturnType<(typeof FILTERS)['parse']>;

export function payoutListRoute(service: Service): Route {
  const { list } = readsOf(service, PAYOUT, PAYOUTS, { ofAccounts: OF_ACCOUNTS });
  return routesOf('Payouts', 'payouts')('listPayouts', 'GET /v1/payouts', {
    summary: 'List payouts',
    isRepeatable: (query) => isRepeatableWith(query),
    query: FILTERS,
    response: answersList('Payout', exampleOf(PAYOUT)),
    errors: ['parameter_missing'],
    handle: async (call) => {
      const { limit, order, starting_after, ending_before, created, expand, external_id, ...filters } = call.query;
      const query = { limit, order, starting_after, ending_before, created, expand, external_id };
      const conditions = await conditionsOf(service, call.caller, filters);
      const { recipient, reference, standing_order: standingOrder } = filters;
      const more = withoutPayroll(call.caller, [recipient, reference, standingOrder, external_id]);
      return list({ ...call, query }, {}, [...conditions, ...more]);
    },
  });
}

/** A page merges the values of the first filter that has several. So filters that find few payouts come first. */
async function conditionsOf(
  service: Service,
  caller: Caller,
  filters: Omit<Filters, keyof ListQuery | 'expand' | 'external_id'>,
): Promise<Condition[]> {
  const { status, release, account, recipient, batch, standing_order: standingOrder, reference } = filters;
  const minor = minorUnits(filters.amount, filters.currency);
  const codes = filters.currency && [filters.currency].flat().map(({ code }) => code);
  const accounts = uuidsOf(account) ?? (await accountsFor(service, caller, minor === undefined ? codes : undefined));
  const isRare = [status].flat().every((each) => each !== undefined && RARE_STATUSES.includes(each));
  const rare = isRare ? `t.status = ANY ('{${RARE_STATUSES.join()}}'::text[]) AND ` : ''; // as the index says
  return [
    ...inOrder('t.reference', 'text', reference),
    ...inOrder('t.standing_order_id', 'uuid', uuidsOf(standingOrder)),
    ...inOrder('t.batch_id', 'uuid', uuidsOf(batch)),
    ...inOrder('t.amount', 'bigint', minor),
    ...inOrder('t.failure_code', 'text', filters.failure_code),
    ...inOrder('t.category_purpose', 'text', filters.category_purpose),
    ...inOrder('t.recipient_id', 'uuid', uuidsOf(recipient)),
    ...inOrder('t.created_by', 'uuid', await lineMates(service, caller, filters.created_by)),
    ...inOrder(RELEASE_STATUS, 'text', release),
    ...inOrder(`${rare}t.status`, 'text', status),
    ...inOrder('t.account_id', 'uuid', accounts),
    ...inOrder('t.currency', 'text', codes),
  ];
}

const uuidsOf = (ids: string | readonly string[] | undefined) =>
  ids === undefined ? undefined : [ids].flat().map(uuidOf);

/**
 * The uuids of the accounts that the key is restricted to, or that have the currency, which is that of their payouts.
 * `undefined`: they are many.
 */
async function accountsFor(
  { rows }: Service,
  { accounts, environmentId }: Caller,
  currencies: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (accounts !== null) return Array.from(accounts, uuidOf);
  if (currencies === undefined) return undefined;
  const found = await rows(accountsIn(environmentId, currencies));
  return found.length > MAX_ACCOUNTS_OF_CURRENCY ? undefined : found.map(({ id: each }) => each as string);
}

/** The amounts of a filter in minor units, which only a currency has. `parameter_missing`, `parameter_conflict`. */
function minorUnits(
  amounts: Filters['amount'],
  currencies: Currency | readonly Currency[] | undefined,
): readonly bigint[] | undefined {
  if (amounts === undefined) return undefined;
  const [only, ...more] = [currencies ?? []].flat();
  if (only === undefined) {
    throw paramError('parameter_missing', 'currency', 'amount needs a currency, such as currency=EUR.');
  }
  if (more.length > 0) {
    const given = [only, ...more].map(({ code }) => code).join(', ');
    throw paramError('parameter_conflict', 'currency', `amount needs exactly one currency, got ${given}.`);
  }
  if (typeof amounts === 'string') return [amountIn(only, amounts, 'amount')];
  return amounts.map((each, index) => amountIn(only, each, `amount[${index}]`));
}
