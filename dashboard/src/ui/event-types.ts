/** Types of events, by the kind of their object, as a filter offers them. Pure. */

/** Families in the order in which people look for them; each is a filter of its own: `payout.*`. */
export const FAMILIES: readonly (readonly [family: string, word: string])[] = [
  ['payout', 'Payouts'],
  ['payout_batch', 'Batches'],
  ['payment', 'Payments'],
  ['payment_link', 'Payment links'],
  ['expected_payment', 'Expected payments'],
  ['exchange', 'Exchanges'],
  ['account', 'Accounts'],
  ['balance', 'Balances'],
  ['recipient', 'Recipients'],
  ['standing_order', 'Standing orders'],
  ['daily_statement', 'Daily statements'],
  ['bank_account', 'Bank accounts'],
  ['bank_statement', 'Bank statements'],
  ['bank_entry', 'Bank entries'],
  ['payment_file', 'Payment files'],
  ['webhook_endpoint', 'Webhook endpoints'],
  ['key', 'Keys'],
  ['settings', 'Settings'],
  ['payout_rules', 'Rules of payouts'],
  ['limit', 'Limits'],
  ['fee_rule', 'Fees'],
  ['environment', 'Environment'],
];

/** What is filtered by: a family as `payout.*`. What is typed in full, such as `payout.paid`, goes as it is. */
export const familyOptions = FAMILIES.map(([family, word]) => ({ value: `${family}.*`, label: word }));

/** `payout.in_transit` → "payout in transit". */
export const typeInWords = (type: string): string => type.replaceAll(/[._]/g, ' ');
