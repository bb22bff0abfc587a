/**
 * What the model knows of fees: which rule is for a case, said by the list of cases from the narrowest on; and what it comes to. It must
 * never call `core/fee-rules.ts`, which is what it judges.
 */
import type { CreateFee } from '../../../src/ledger/fees/decide.ts';
import type { Expectation } from './model-objects.ts';

export type ModelFee = Omit<CreateFee, 'type'>;

/** What is charged for. */
export type Occasion =
  | { readonly on: 'payout'; readonly currency: string }
  | { readonly on: 'exchange'; readonly currency: string; readonly buyCurrency: string }
  | { readonly on: 'payment'; readonly currency: string; readonly method: string; readonly paymentLink: string };

const caseOf = (fee: ModelFee): string =>
  [fee.on, fee.paymentLink, fee.method, fee.scheme, fee.buyCurrency, fee.currency].join('|');

/** Every case that an occasion falls under, the narrowest first. */
function casesOf(occasion: Occasion): string[] {
  const { on, currency } = occasion;
  const currencies = [currency, null];
  const cases: (string | null)[][] = [];
  if (on === 'payout') {
    // Accounts of the model are in Germany and have an IBAN.
    const scheme = currency === 'EUR' ? 'sepa' : 'swift';
    for (const way of [scheme, null]) for (const each of currencies) cases.push([null, null, way, null, each]);
  } else if (on === 'exchange') {
    for (const buy of [occasion.buyCurrency, null])
      for (const each of currencies) cases.push([null, null, null, buy, each]);
  } else {
    for (const link of [occasion.paymentLink, null])
      for (const method of [occasion.method, null])
        for (const each of currencies) cases.push([link, method, null, null, each]);
  }
  return cases.map((each) => [on, ...each].join('|'));
}

export class FeesModel {
  readonly rules = new Map<string, ModelFee>();
  readonly event: (text: string) => void;

  /** `event`: takes what is told. */
  constructor(event: (text: string) => void) {
    this.event = event;
  }

  create(command: CreateFee, isLink: (id: string) => boolean): Expectation {
    const { type: _, ...fee } = command;
    if (fee.paymentLink !== null && !isLink(fee.paymentLink)) return { refused: 'resource_missing' };
    if ([...this.rules.values()].some((each) => caseOf(each) === caseOf(fee))) return { refused: 'fee_exists' };
    return {
      accepted: ({ id }) => {
        this.rules.set(id, fee);
        this.event(`fee_rule.created ${id}`);
      },
    };
  }

  delete(id: string): Expectation {
    if (!this.rules.has(id)) return { refused: 'resource_missing' };
    return {
      accepted: () => {
        this.rules.delete(id);
        this.event(`fee_rule.deleted ${id}`);
      },
    };
  }

  /** Minor units. `isFirst`: the fixed part is charged too. */
  on(occasion: Occasion, amount: bigint, isFirst = true): bigint {
    for (const each of casesOf(occasion)) {
      const rule = [...this.rules.values()].find((one) => caseOf(one) === each);
      if (!rule) continue;
      const doubled = 2n * amount * BigInt(rule.basisPoints);
      const part = doubled / 20_000n + (doubled % 20_000n >= 10_000n ? 1n : 0n);
      return (isFirst ? rule.fixed : 0n) + part;
    }
    return 0n;
  }

  /** The most that can be paid out of `total` with its fee; found by halving. */
  payableOf(currency: string, total: bigint): bigint {
    let [low, high] = [0n, total];
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      if (middle + this.on({ on: 'payout', currency }, middle) <= total) low = middle;
      else high = middle - 1n;
    }
    return low;
  }
}
