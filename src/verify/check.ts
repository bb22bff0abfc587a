/**
 * What a check of the books is: a rule in words, and SQL that returns what breaks it. The checks share no code with the write path,
 * so that they cannot share its mistakes. The fragments of SQL that several need are here. Who runs them: `verify.ts`.
 */

/** What a check is about; the order of a report. */
export const DAMAGE_KINDS = [
  'balance',
  'transfer',
  'payout',
  'exchange',
  'batch',
  'fee',
  'daily_sum',
  'payment',
  'standing_order',
  'bank',
  'payment_file',
  'event',
  'idempotency',
  'delivery',
  'sealed_text',
  'payout_rules',
  'audit_log',
] as const;
export type DamageKind = (typeof DAMAGE_KINDS)[number];

/** Runs one statement of the session. Rows as `pg` gives them; the columns that matter here are text. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<readonly object[]>;

export interface Check {
  readonly kind: DamageKind;
  readonly rule: string;
  /**
   * Selects, for each break, `environment_id`, `prefix` (of the id, or a word), `id` (uuid, or NULL), `name` (text that locates it further, or NULL),
   * `expected` and `found` (text). Must select no text that people wrote and nothing that is sealed.
   */
  readonly sql: string;
}

/** Checks of one kind: by their rules the SQL. */
export const checks = (kind: DamageKind, rules: Readonly<Record<string, string>>): readonly Check[] =>
  Object.entries(rules).map(([rule, sql]) => ({ kind, rule, sql }));

/** The columns of a break. The arguments are SQL expressions. */
export const broken = (of: {
  readonly environment: string;
  readonly prefix: string;
  readonly id: string;
  readonly name?: string;
  readonly expected: string;
  readonly found: string;
}): string =>
  `${of.environment} AS environment_id, ${of.prefix} AS prefix, ${of.id} AS id, (${of.name ?? 'NULL'})::text AS name, (${of.expected})::text AS expected, (${of.found})::text AS found`;

/** A row as {@link broken} takes it: the alias of its table, the prefix of its ids, and what names it further. */
export const rowOf = (alias: string, prefix: string, name = 'NULL') => ({
  environment: `${alias}.environment_id`,
  prefix: `'${prefix}'`,
  id: `${alias}.id`,
  name,
});
export const EVENT = rowOf('e', 'evt', "e.type || ', sequence ' || e.sequence");

/**
 * Retention deletes events and deliveries after 90 days, also while the check runs, so only younger ones must be there.
 */
export const KEPT_SINCE = "(now() - interval '89 days')";

/** Both sides of every transfer as lines of an account, house accounts included. */
export const LINES = `lines AS (
  SELECT environment_id, id, currency, debit_account AS account, -amount AS signed, debit_balance_after AS after FROM transfers
  UNION ALL
  SELECT environment_id, id, currency, credit_account, amount, credit_balance_after FROM transfers)`;

/** Ids of house accounts and bank accounts are UUIDv8, customers' are UUIDv7. */
export const outside = (account: string): string => `(get_byte(uuid_send(${account}), 6) >> 4 = 8)`;

export const HOUSE_NUMBERS = { bank: 1, in_transit: 2, fx: 3, fees: 4, unmatched: 5 } as const;
/** The house accounts of a kind, one for each currency. */
export const isHouse = (account: string, kind: keyof typeof HOUSE_NUMBERS): string => {
  const begins = `00000000-0000-8000-8000-0000${HOUSE_NUMBERS[kind].toString().padStart(2, '0')}`;
  return `${account} BETWEEN '${begins}000000' AND '${begins}ffffff'`;
};
