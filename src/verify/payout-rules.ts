/**
 * The check of payout rules: those in force are those that the audit log says. Its entries are noted as the chain of the
 * log is read (`audit-log.ts`). Who runs it: `verify.ts`.
 */

/** What holds where the log says nothing. The first: `core/payout-rules.ts`. */
const DEFAULTS = {
  frozen: 'false',
  hold_new_recipients_hours: '0',
  hold_bank_accounts: 'false',
  approvals_required: '1',
  routes: 'sandbox',
  waiting_payouts: 'in_order',
  time_zone: 'UTC',
};

interface Limit {
  readonly currency: string | null;
  readonly all_currencies?: boolean | undefined;
  readonly count: number | null;
  readonly per: string;
  readonly of: string | null;
  readonly action: string;
}
interface Rules {
  readonly limits?: readonly (Omit<Limit, 'all_currencies'> & {
    readonly id: string;
    readonly amount: string | null;
    readonly allCurrencies?: boolean;
  })[];
}

export interface Difference {
  readonly object: string;
  readonly expected: string;
  readonly found: string;
}

/** What the log of one environment has said so far. */
export class SaidRules {
  private readonly values = new Map<string, string>(Object.entries(DEFAULTS));
  private readonly limits = new Map<string, string>();

  /** Entries in their order. */
  note(action: string, subject: string | null, details: string): void {
    if (action === 'payout_rules.updated') {
      const changed = Object.entries(JSON.parse(details) as Record<string, readonly [string, string]>);
      for (const [name, [, after]] of changed) this.values.set(name, after);
    } else if (action === 'limit.created') {
      const { amount_minor: amount, ...limit } = JSON.parse(details) as Limit & {
        readonly amount_minor: string | null;
      };
      this.limits.set(subject as string, inWords(limit, amount));
    } else if (action === 'limit.deleted') this.limits.delete(subject as string);
    else if (action === 'sandbox.reset') {
      for (const [name, value] of Object.entries(DEFAULTS)) this.values.set(name, value);
      this.limits.clear();
    }
  }

  /** `json`: of the environment's row. */
  differencesTo(json: string | null): readonly Difference[] {
    const { limits = [], ...rest } = JSON.parse(json ?? '{}') as Rules;
    const rules = rest as Readonly<Record<string, string | number | boolean>>;
    const [found, expected] = [new Map<string, string>(), new Map<string, string>()];
    for (const [name, value] of this.values) {
      expected.set(name.replaceAll('_', ' '), value);
      const stored = rules[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
      found.set(
        name.replaceAll('_', ' '),
        stored === undefined ? ((DEFAULTS as Record<string, string>)[name] ?? 'unset') : String(stored),
      );
    }
    for (const [id, limit] of this.limits) expected.set(id, limit);
    for (const { id, amount, allCurrencies, ...limit } of limits) {
      found.set(id, inWords({ ...limit, all_currencies: allCurrencies }, amount));
    }
    return [...new Set([...expected.keys(), ...found.keys()])].flatMap((object) => {
      const [said, stored] = [expected.get(object) ?? 'no such limit', found.get(object) ?? 'no such limit'];
      return said === stored ? [] : [{ object, expected: `${said}, as the audit log says`, found: stored }];
    });
  }
}

/** Limits of keys named the key once, and name its line now. Once they did not say whether they are in all currencies. */
function inWords({ currency, all_currencies: all, count, per, of, action }: Limit, amount: string | null): string {
  const currencies = (all ?? currency === null) ? `all in ${currency}` : currency;
  return [action, amount, currencies, count, per, per === 'key' ? null : of].map((part) => part ?? '-').join(' ');
}
