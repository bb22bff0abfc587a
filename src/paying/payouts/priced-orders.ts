/** Orders in another currency get the rate of the moment before they are sent down the write path. Who calls this: `routes.ts`, `batch-routes.ts`. */
import { demand } from '../../core/scopes.ts';
import { idOf } from '../../core/values/ids.ts';
import type { RateSource } from '../../ledger/exchanges/rate-source.ts';
import type { Caller } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import type { PayoutOrder } from './decide.ts';
import type { BatchItem, FaultyItem } from './batch-faults.ts';
import { type AskedItem, type AskedOrder, attempt, pricedOrder } from './source-parameters.ts';
import { loadCurrenciesOf } from './sql.ts';

export interface OrderPricer {
  /** The order as the decision takes it; one that is not converted as it is, at once. Rejects with the faults of an amount, and `scope_missing`. */
  one(caller: Caller, order: AskedOrder): PayoutOrder | Promise<PayoutOrder>;
  /** The items of a batch, each in its place; at most one statement. Throws `scope_missing`. */
  all(caller: Caller, items: readonly (AskedItem | FaultyItem)[]): Promise<readonly BatchItem[]>;
}

const SCOPE = 'exchanges:write';

export function orderPricer(service: Pick<Service, 'rows'>, rates: Pick<RateSource, 'now'>): OrderPricer {
  /** Rates, and currencies of accounts that are named without. */
  const pricing = async (caller: Caller, orders: readonly AskedItem[]) => {
    if (orders.some(({ source }) => source !== null)) mayExchange(caller);
    const { environmentId, livemode } = caller;
    const unknown = orders.flatMap(({ source }) =>
      source?.account && source.currency === undefined && source.quote === undefined ? [source.account] : [],
    );
    const ids = [...new Set(unknown)];
    const rows = ids.length === 0 ? [] : await service.rows(loadCurrenciesOf(ids.map((id) => ({ environmentId, id }))));
    const currencies = new Map(rows.map((row) => [idOf('acct', row['id'] as string), row['currency'] as string]));
    return [rates.now(livemode), currencies] as const;
  };
  return {
    one: (caller, order) =>
      order.source === null ? order : pricing(caller, [order]).then((by) => pricedOrder(order, ...by)),
    async all(caller, items) {
      const by = await pricing(
        caller,
        items.flatMap((item) => ('faults' in item ? [] : [item])),
      );
      return items.map((item): BatchItem => {
        if ('faults' in item) return item;
        const priced = attempt(() => pricedOrder(item, ...by), item.source?.path ?? '');
        if ('value' in priced) return priced.value;
        const { currency, recipient, externalId, scheduledOn } = item;
        const named = 'payee' in item ? { payee: item.payee } : {};
        return { faults: [priced.fault], read: { currency, recipient, ...named, externalId, scheduledOn } };
      });
    },
  };
}

/** An exchange is booked with the payout, so the key must be allowed to book one. */
const mayExchange = ({ scopes }: Caller): void => demand(scopes, SCOPE, 'a payout from another currency');
