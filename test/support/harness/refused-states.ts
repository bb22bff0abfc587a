/**
 * Refusals that need a state first: what `test/error-texts.test.ts` reads the messages of, beside those of `refused-requests.ts`. The steps
 * before make the state, with merchants of their own where a rule of the environment would stand in the way of others.
 */
import type { Refused, Sent } from './refused-requests.ts';
import { houseBank } from './fixtures.ts';
import { RECIPIENT } from './tenant-fixture.ts';

const of = (merchant: string, name = 'first') => ({ merchant, name });
type As = ReturnType<typeof of>;

/** A funded account and a recipient of a merchant: `{acc}` and `{payee}`. */
const started = (as: As): readonly Sent[] => [
  { as, path: '/v1/accounts', body: { currency: 'EUR', name: 'Texts' }, keep: 'acc' },
  { as, path: '/v1/test_helpers/accounts/{acc.id}/fund', body: { amount: '5000' } },
  { as, path: '/v1/recipients', body: RECIPIENT, keep: 'payee' },
];
const ORDER = { amount: '5', currency: 'EUR', recipient: '{payee.id}', account: '{acc.id}' };
const payout = (as: As, over: object = {}): Sent => ({
  as,
  path: '/v1/payouts',
  body: { ...ORDER, ...over },
  keep: 'paid',
});

const PLAIN = of('plain');
const RULED = of('ruled');
const APPROVER = of('ruled', 'second');
const LIMITED = of('limited');
const EXCHANGING = of('exchanging');
const HOOKS = of('hooks');
const BANKS = of('banks');
const HOUSE = { currency: 'EUR', country: 'DE', holder: 'Rossum', cut_off: '14:30', time_zone: 'Europe/Berlin' };
const US_HOUSE = {
  ...HOUSE,
  currency: 'USD',
  country: 'US',
  bank_details: { routing_number: '021000021', account_number: '10000{n}' },
};
const OTHER_IBAN = 'DE02120300000000202051';
const THIRD_IBAN = 'DE02500105170137075030';
const NO_HASH = '0'.repeat(64);
const HELD: readonly Sent[] = [
  ...started(RULED),
  { as: RULED, path: '/v1/settings/payouts', body: { hold_new_recipients_hours: 24, approvals_required: 2 } },
  payout(RULED),
];
const hook = (keep: string): Sent => ({
  as: HOOKS,
  path: '/v1/webhook_endpoints',
  body: { url: 'https://hooks.example.com/{n}' },
  keep,
});
/** Money of an unknown sender at the bank: `{credit}`. */
const credited = (): readonly Sent[] => [
  {
    as: BANKS,
    path: '/v1/bank_accounts',
    body: houseBank(),
    keep: 'credited',
  },
  {
    as: BANKS,
    path: '/v1/test_helpers/bank_accounts/{credited.id}/credit',
    body: { amount: '5', text: 'x' },
    keep: 'credit',
  },
];
const CURRENCIES = 'EUR USD GBP CHF JPY SEK NOK DKK PLN CZK HUF RON AUD CAD NZD'.split(' ');
const PAIRS = CURRENCIES.flatMap((one) => CURRENCIES.flatMap((other) => (one === other ? [] : [`${one}_${other}`])));
const key = (as: As): Sent => ({ as, path: '/v1/keys', body: { name: 'made' }, keep: 'made' });
const payee = (over: object) => ({ ...RECIPIENT, recipient: undefined, amount: '5', account: '{acc.id}', ...over });

export const REFUSED_STATES: readonly Refused[] = [
  { code: 'body_too_large', path: '/v1/accounts', body: { currency: 'EUR', name: 'x'.repeat(1_100_000) } },
  {
    code: 'version_unknown',
    method: 'GET',
    path: '/v1/accounts',
    headers: { 'bursar-version': '2020-01-01' },
  },
  {
    code: 'balance_too_large',
    before: started(PLAIN),
    as: PLAIN,
    path: '/v1/test_helpers/accounts/{acc.id}/fund',
    body: { amount: '9999999999999.99' },
  },
  {
    code: 'statement_empty',
    param: 'format',
    method: 'GET',
    path: '/v1/account_statements?from=2020-01-01&to=2020-01-02&format=camt.053',
  },
  {
    code: 'account_closed',
    param: 'account',
    before: [
      ...started(PLAIN),
      { as: PLAIN, path: '/v1/accounts', body: { currency: 'EUR' }, keep: 'gone' },
      { as: PLAIN, path: '/v1/accounts/{gone.id}/close' },
    ],
    ...payout(PLAIN, { account: '{gone.id}' }),
  },
  {
    code: 'recipient_not_allowed',
    as: { scopes: ['recipients:write'], accounts: ['{otherAccount}'] },
    path: '/v1/recipients/{rcp}',
    body: { name: 'Grace' },
  },
  {
    code: 'recipient_redacted',
    param: 'recipient',
    before: [...started(PLAIN), { as: PLAIN, path: '/v1/recipients/{payee.id}/redact' }],
    ...payout(PLAIN),
  },
  {
    code: 'recipient_has_open_payouts',
    before: [...started(PLAIN), payout(PLAIN)],
    as: PLAIN,
    path: '/v1/recipients/{payee.id}/redact',
  },
  {
    code: 'retention_required',
    before: [...started(PLAIN), payout(PLAIN), { as: PLAIN, path: '/v1/test_helpers/payouts/{paid.id}/pay' }],
    as: PLAIN,
    path: '/v1/recipients/{payee.id}/redact',
  },
  {
    code: 'recipient_currency_mismatch',
    param: 'currency',
    before: [
      ...started(PLAIN),
      { as: PLAIN, path: '/v1/accounts', body: { currency: 'USD' }, keep: 'dollars' },
      { as: PLAIN, path: '/v1/test_helpers/accounts/{dollars.id}/fund', body: { amount: '50' } },
    ],
    ...payout(PLAIN, { currency: 'USD', account: '{dollars.id}' }),
  },
  {
    code: 'recipient_name_mismatch',
    isOfItem: true,
    param: 'name',
    before: [...started(PLAIN), { as: PLAIN, path: '/v1/recipients', body: { ...RECIPIENT, iban: OTHER_IBAN } }],
    as: PLAIN,
    path: '/v1/payouts/batch',
    body: { payouts: [payee({ name: 'Grace Hopper', iban: OTHER_IBAN })] },
  },
  {
    code: 'recipient_ambiguous',
    isOfItem: true,
    param: 'iban',
    before: [...started(PLAIN), { as: PLAIN, path: '/v1/recipients', body: RECIPIENT }],
    as: PLAIN,
    path: '/v1/payouts/batch',
    body: { payouts: [payee({})] },
  },
  {
    code: 'payout_repeated',
    isOfItem: true,
    before: [...started(PLAIN), { as: PLAIN, path: '/v1/recipients', body: { ...RECIPIENT, iban: OTHER_IBAN } }],
    as: PLAIN,
    path: '/v1/payouts/batch',
    body: { payouts: [payee({ iban: THIRD_IBAN }), payee({ iban: THIRD_IBAN })], create_recipients: true },
  },
  {
    code: 'payout_not_cancelable',
    before: [...started(PLAIN), payout(PLAIN), { as: PLAIN, path: '/v1/test_helpers/payouts/{paid.id}/pay' }],
    as: PLAIN,
    path: '/v1/payouts/{paid.id}/cancel',
  },
  {
    code: 'quote_expired',
    param: 'quote',
    before: [
      ...started(EXCHANGING),
      {
        as: EXCHANGING,
        path: '/v1/exchanges/quote',
        body: { sell_currency: 'EUR', buy_currency: 'USD', amount: '10' },
        keep: 'old',
      },
      { as: EXCHANGING, path: '/v1/test_helpers/clock/advance', body: { seconds: 4000 } },
    ],
    as: EXCHANGING,
    path: '/v1/exchanges',
    body: { quote: '{old.id}' },
  },
  {
    code: 'position_limit_exceeded',
    before: [...started(EXCHANGING), { as: EXCHANGING, path: '/v1/settings/exchanges', body: { position_limit: '1' } }],
    as: EXCHANGING,
    path: '/v1/exchanges',
    body: { sell_currency: 'EUR', buy_currency: 'USD', amount: '100' },
  },
  {
    code: 'fx_markup_count',
    param: 'markups',
    as: EXCHANGING,
    path: '/v1/settings/exchanges',
    body: { markups: Object.fromEntries(PAIRS.map((pair) => [pair, 1])) },
  },
  { code: 'payout_held', before: HELD, as: RULED, path: '/v1/test_helpers/payouts/{paid.id}/advance' },
  {
    code: 'approval_outdated',
    param: 'fingerprint',
    before: HELD,
    as: APPROVER,
    path: '/v1/payouts/{paid.id}/approve',
    body: { fingerprint: NO_HASH },
  },
  {
    code: 'approval_repeated',
    before: [
      ...HELD,
      {
        as: APPROVER,
        path: '/v1/payouts/{paid.id}/approve',
        body: { fingerprint: '{paid.release.fingerprint}' },
      },
    ],
    as: APPROVER,
    path: '/v1/payouts/{paid.id}/approve',
    body: { fingerprint: '{paid.release.fingerprint}' },
  },
  {
    code: 'approval_key_unconfirmed',
    before: [...HELD, key(APPROVER)],
    path: '/v1/payouts/{paid.id}/approve',
    body: { fingerprint: '{paid.release.fingerprint}' },
    headers: { authorization: 'Bearer {made.secret}' },
  },
  {
    code: 'key_not_confirmable',
    before: [key(RULED), { as: APPROVER, path: '/v1/keys/{made.id}/confirm' }],
    as: APPROVER,
    path: '/v1/keys/{made.id}/confirm',
  },
  { code: 'key_of_others', before: [key(RULED)], as: APPROVER, path: '/v1/keys/{made.id}/roll' },
  {
    code: 'key_rolled',
    before: [key(RULED), { as: RULED, path: '/v1/keys/{made.id}/roll', body: { expires_in: 3600 } }],
    as: RULED,
    path: '/v1/keys/{made.id}/roll',
  },
  {
    code: 'key_ended',
    before: [key(RULED), { as: RULED, path: '/v1/keys/{made.id}/revoke' }],
    as: RULED,
    path: '/v1/keys/{made.id}/roll',
  },
  {
    code: 'limit_exceeded',
    before: [...started(LIMITED), { as: LIMITED, path: '/v1/limits', body: { currency: 'EUR', amount: '1' } }],
    ...payout(LIMITED),
  },
  {
    code: 'limit_count',
    before: [{ as: LIMITED, path: '/v1/limits', body: { count: 1000 }, times: 19 }],
    as: LIMITED,
    path: '/v1/limits',
    body: { count: 1000 },
  },
  {
    code: 'standing_order_state_invalid',
    before: [{ path: '/v1/standing_orders/{so}/cancel' }],
    path: '/v1/standing_orders/{so}/pause',
  },
  {
    code: 'payment_method_not_configured',
    param: 'currency',
    as: 'live',
    path: '/v1/payment_links',
    body: { amount: '5', currency: 'EUR' },
  },
  {
    code: 'payment_link_ended',
    before: [
      { as: PLAIN, path: '/v1/payment_links', body: { amount: '5', currency: 'EUR' }, keep: 'link' },
      { as: PLAIN, path: '/v1/payment_links/{link.id}/deactivate' },
    ],
    as: PLAIN,
    path: '/v1/test_helpers/payment_links/{link.id}/pay',
  },
  {
    code: 'expected_payment_ended',
    before: [
      { as: PLAIN, path: '/v1/expected_payments', body: { amount: '5', currency: 'EUR' }, keep: 'due' },
      { as: PLAIN, path: '/v1/expected_payments/{due.id}/cancel' },
    ],
    as: PLAIN,
    path: '/v1/expected_payments/{due.id}/cancel',
  },
  {
    code: 'epc_code_unavailable',
    before: [{ as: PLAIN, path: '/v1/expected_payments', body: { amount: '5', currency: 'USD' }, keep: 'due' }],
    as: PLAIN,
    method: 'GET',
    path: '/v1/expected_payments/{due.id}/code',
  },
  {
    code: 'bank_account_closed',
    before: [
      { as: BANKS, path: '/v1/bank_accounts', body: US_HOUSE, keep: 'shut' },
      { as: BANKS, path: '/v1/bank_accounts/{shut.id}/close' },
    ],
    as: BANKS,
    path: '/v1/bank_accounts/{shut.id}',
    body: { name: 'Again' },
  },
  {
    code: 'bank_account_currency_mismatch',
    param: 'bank_account',
    given: '{dollarBank.id}',
    before: [...started(BANKS), { as: BANKS, path: '/v1/bank_accounts', body: US_HOUSE, keep: 'dollarBank' }],
    ...payout(BANKS, { bank_account: '{dollarBank.id}' }),
  },
  {
    code: 'bank_account_not_paying',
    param: 'bank_account',
    given: '{takes.id}',
    before: [
      ...started(BANKS),
      {
        as: BANKS,
        path: '/v1/bank_accounts',
        body: { ...HOUSE, uses: ['collections'], bank_details: { iban: OTHER_IBAN } },
        keep: 'takes',
      },
    ],
    ...payout(BANKS, { bank_account: '{takes.id}' }),
  },
  {
    code: 'bank_account_count',
    before: [{ as: of('many banks'), path: '/v1/bank_accounts', body: US_HOUSE, times: 100 }],
    as: of('many banks'),
    path: '/v1/bank_accounts',
    body: { ...HOUSE, bank_details: { iban: OTHER_IBAN } },
  },
  {
    code: 'bank_rule_count',
    before: [
      { as: BANKS, path: '/v1/bank_rules', body: { name: 'Rule {n}', to: 'fees', text: 'Text {n}' }, times: 100 },
    ],
    as: BANKS,
    path: '/v1/bank_rules',
    body: { name: 'Rule', to: 'fees', text: 'Text' },
  },
  {
    code: 'reconciliation_changed',
    param: 'sha256',
    path: '/v1/bank_accounts/{ba}/reconciliation/sign',
    body: { month: '2026-10', sha256: NO_HASH },
  },
  {
    code: 'sender_unknown',
    param: 'recipient',
    before: credited(),
    as: BANKS,
    path: '/v1/bank_entries/{credit.id}/return',
  },
  {
    code: 'bank_entry_assigned',
    param: 'assignments[0][amount]',
    before: [...started(BANKS), ...credited()],
    as: BANKS,
    path: '/v1/bank_entries/{credit.id}/assign',
    body: { assignments: [{ to: '{acc.id}', amount: '9' }] },
  },
  {
    code: 'bank_entry_voided',
    before: [
      ...credited(),
      { as: BANKS, path: '/v1/bank_entries/{credit.id}/void', body: { reason: 'x' } },
      { as: BANKS, path: '/v1/test_helpers/bank_entries/{credit.id}/approve' },
    ],
    as: BANKS,
    path: '/v1/bank_entries/{credit.id}/return',
  },
  {
    code: 'payout_not_overdue',
    before: [{ method: 'GET', path: '/v1/payouts?status=in_transit&limit=1', keep: 'transit' }],
    path: '/v1/payouts/{transit.data.0.id}/resolve',
    body: { outcome: 'paid', reason: 'x' },
  },
  {
    code: 'payment_state_invalid',
    before: [
      ...started(PLAIN),
      { as: PLAIN, path: '/v1/payment_links', body: { amount: '5', currency: 'EUR' }, keep: 'link' },
      { as: PLAIN, path: '/v1/test_helpers/payment_links/{link.id}/pay', keep: 'payment' },
      { as: PLAIN, path: '/v1/payments/{payment.id}/refund' },
    ],
    as: PLAIN,
    path: '/v1/payments/{payment.id}/refund',
  },
  { code: 'webhook_endpoint_limit', before: [{ ...hook('many'), times: 16 }], ...hook('more') },
];
