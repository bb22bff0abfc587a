/**
 * A request for each refusal that one request, or two, can draw from a furnished sandbox: what `test/error-texts.test.ts` reads the messages
 * of. `{acct}` and the like stand for ids of `fixtures.ts`.
 */
import type { Code } from '../../../src/core/values/errors.ts';
import type { KeyOrder } from '../../../src/operator/keys.ts';
import { RECIPIENT } from './tenant-fixture.ts';

export interface Sent {
  /** The key: the furnished sandbox's, a live one, or one made for this. */
  readonly as?: 'live' | 'sandbox' | Partial<KeyOrder>;
  readonly method?: string;
  readonly path: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer is kept under this name: `{name.id}` stands for a member of it in later steps. */
  readonly keep?: string;
  /** So many times, with `{n}` in the body from 0 on; once without it. */
  readonly times?: number;
}

export interface Refused extends Sent {
  readonly code: Code;
  readonly param?: string;
  /** The value that `param` is about, where the message has to show it. */
  readonly given?: unknown;
  readonly before?: readonly Sent[];
  /** The code is that of the first fault of `batch_invalid`. */
  readonly isOfItem?: true;
}

const LOST = '01jd3v9q4ne8v8k3w2m6r5t7xa';
const PAYOUT = { amount: '1', currency: 'EUR', recipient: '{rcp}' };
const payout = (over: object) => ({ path: '/v1/payouts', body: { ...PAYOUT, account: '{acct}', ...over } });
const recipient = (over: object) => ({ path: '/v1/recipients', body: { ...RECIPIENT, ...over } });
const get = (path: string) => ({ method: 'GET', path });
const EXCHANGE = { sell_currency: 'EUR', buy_currency: 'USD', amount: '10' };
const US = { country: 'US', currency: 'USD', iban: undefined };
const HOUSE = { currency: 'EUR', country: 'DE', holder: 'Rossum', cut_off: '14:30', time_zone: 'Europe/Berlin' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export const REFUSED: readonly Refused[] = [
  { code: 'body_invalid', path: '/v1/accounts', body: '{"currency":' },
  { code: 'body_too_deep', path: '/v1/accounts', body: `${'{"a":'.repeat(12)}1${'}'.repeat(12)}` },
  { code: 'content_type_unsupported', path: '/v1/accounts', body: 'x', headers: { 'content-type': 'text/plain' } },
  { code: 'parameter_missing', param: 'recipient', path: '/v1/payouts', body: { amount: '1', currency: 'EUR' } },
  { code: 'parameter_unknown', param: 'amuont', given: 'amuont', ...payout({ amuont: '1' }) },
  {
    code: 'parameter_repeated',
    param: 'currency',
    path: '/v1/accounts',
    body: 'currency=EUR&currency=USD',
    headers: FORM,
  },
  { code: 'parameter_invalid', param: 'limit', given: '0', ...get('/v1/payouts?limit=0') },
  { code: 'parameter_invalid', param: 'status', given: 'done', ...get('/v1/payouts?status=done') },
  { code: 'parameter_invalid', param: 'recipient', given: 'ada', ...payout({ recipient: 'ada' }) },
  { code: 'parameter_conflict', param: 'ending_before', ...get('/v1/payouts?starting_after={po}&ending_before={po}') },
  { code: 'text_invalid', param: 'name', path: '/v1/accounts', body: { currency: 'EUR', name: 'a\u202eb' } },
  { code: 'text_too_long', param: 'name', path: '/v1/accounts', body: { currency: 'EUR', name: 'x'.repeat(2_000) } },
  { code: 'card_number_refused', param: 'reference', ...payout({ reference: '4111 1111 1111 1111' }) },
  { code: 'metadata_invalid', param: 'metadata[a]', ...payout({ metadata: { a: 'x'.repeat(600) } }) },
  { code: 'amount_invalid', param: 'amount', given: '1e3', ...payout({ amount: '1e3' }) },
  { code: 'amount_invalid', param: 'amount', given: '1.005', ...payout({ amount: '1.005' }) },
  { code: 'amount_too_small', param: 'amount', given: '0.00', ...payout({ amount: '0.00' }) },
  { code: 'amount_too_large', param: 'amount', given: '99999999999999', ...payout({ amount: '99999999999999' }) },
  { code: 'currency_unsupported', param: 'currency', given: 'XXQ', path: '/v1/accounts', body: { currency: 'XXQ' } },
  { code: 'country_unsupported', param: 'country', given: 'QQ', ...recipient({ country: 'QQ' }) },
  { code: 'iban_invalid', param: 'iban', ...recipient({ iban: 'DE89370400440532013001' }) },
  { code: 'bic_invalid', param: 'bic', ...recipient({ bic: 'NOTABIC' }) },
  {
    code: 'routing_number_invalid',
    param: 'routing_number',
    ...recipient({ ...US, routing_number: '021000020', account_number: '000123456789' }),
  },
  {
    code: 'sort_code_invalid',
    param: 'sort_code',
    ...recipient({ country: 'GB', currency: 'GBP', iban: undefined, sort_code: '1', account_number: '00012345' }),
  },
  {
    code: 'account_number_invalid',
    param: 'account_number',
    ...recipient({ ...US, routing_number: '021000021', account_number: 'x' }),
  },
  {
    code: 'batch_invalid',
    param: 'payouts',
    path: '/v1/payouts/batch',
    body: { payouts: [{ ...PAYOUT, amount: 'x' }] },
  },
  { code: 'api_key_invalid', ...get('/v1/payouts'), headers: { authorization: 'Bearer nothing' } },
  { code: 'scope_missing', as: { scopes: ['payouts:read'] }, ...payout({}) },
  {
    code: 'key_too_wide',
    param: 'scopes',
    as: { scopes: ['keys:write'] },
    path: '/v1/keys',
    body: { name: 'x', scopes: ['payouts:write'] },
  },
  { code: 'ip_not_allowed', as: { allowedIps: ['192.0.2.7'] }, ...get('/v1/payouts') },
  {
    code: 'account_not_allowed',
    param: 'account',
    as: { scopes: ['payouts:write'], accounts: ['{otherAccount}'] },
    ...payout({}),
  },
  { code: 'sandbox_only', as: 'live', path: '/v1/test_helpers/reset' },
  { code: 'resource_missing', param: 'id', given: `po_${LOST}`, ...get(`/v1/payouts/po_${LOST}`) },
  { code: 'resource_missing', param: 'recipient', given: `rcp_${LOST}`, ...payout({ recipient: `rcp_${LOST}` }) },
  { code: 'path_unknown', ...get('/v1/payoutz') },
  { code: 'method_not_allowed', method: 'PUT', path: '/v1/payouts' },
  { code: 'idempotency_key_invalid', ...payout({}), headers: { 'idempotency-key': '' } },
  {
    code: 'idempotency_key_reused',
    param: 'amount',
    before: [{ ...payout({}), headers: { 'idempotency-key': 'texts' } }],
    ...payout({ amount: '2' }),
    headers: { 'idempotency-key': 'texts' },
  },
  { code: 'balance_insufficient', ...payout({ amount: '9999999' }) },
  {
    code: 'account_missing',
    param: 'sell_currency',
    given: 'GBP',
    path: '/v1/exchanges',
    body: { ...EXCHANGE, sell_currency: 'GBP' },
  },
  {
    code: 'account_currency_mismatch',
    param: 'sell_account',
    given: '{acct}',
    path: '/v1/exchanges',
    body: { sell_currency: 'USD', buy_currency: 'EUR', amount: '1', sell_account: '{acct}' },
  },
  { code: 'account_same', param: 'to', path: '/v1/transfers', body: { from: '{acct}', to: '{acct}', amount: '1' } },
  { code: 'account_not_empty', path: '/v1/accounts/{acct}/close' },
  {
    code: 'currency_pair_invalid',
    param: 'buy_currency',
    given: 'EUR',
    path: '/v1/exchanges',
    body: { ...EXCHANGE, buy_currency: 'EUR' },
  },
  { code: 'quote_already_used', param: 'quote', given: '{quo}', path: '/v1/exchanges', body: { quote: '{quo}' } },
  {
    code: 'quote_mismatch',
    param: 'amount',
    given: '11.00',
    path: '/v1/exchanges',
    body: { quote: '{quote}', amount: '11' },
  },
  { code: 'rate_unavailable', path: '/v1/exchanges', body: { ...EXCHANGE, buy_currency: 'ZWG' } },
  { code: 'payout_not_held', path: '/v1/payouts/{po}/reject', body: { reason: 'x' } },
  { code: 'change_not_held', path: '/v1/settings/payouts/reject' },
  {
    code: 'bank_account_exists',
    path: '/v1/bank_accounts',
    body: { ...HOUSE, bank_details: { iban: '{bankNumber}' } },
  },
  { code: 'exports_not_stopped', path: '/v1/bank_accounts/{ba}/resume_exports', body: { reason: 'x' } },
  { code: 'external_id_used', param: 'external_id', ...payout({ external_id: 'texts' }) },
  {
    code: 'scheduled_on_invalid',
    param: 'scheduled_on',
    given: '2020-01-01',
    ...payout({ scheduled_on: '2020-01-01' }),
  },
  {
    code: 'wait_until_on_invalid',
    param: 'wait_until_on',
    given: '2020-01-01',
    ...payout({ amount: '9999999', on_insufficient_funds: 'wait', wait_until_on: '2020-01-01' }),
  },
  {
    code: 'sequence_unknown',
    param: 'after_sequence',
    given: '99999999',
    ...get('/v1/events?after_sequence=99999999'),
  },
  {
    code: 'expires_at_invalid',
    param: 'expires_at',
    given: '1',
    path: '/v1/payment_links',
    body: { amount: '1', currency: 'EUR', expires_at: 1 },
  },
  { code: 'expires_at_invalid', param: 'expires_at', given: '1', path: '/v1/keys', body: { name: 'x', expires_at: 1 } },
  {
    code: 'redirect_url_invalid',
    param: 'after_completion[redirect][url]',
    path: '/v1/payment_links',
    body: { amount: '1', currency: 'EUR', after_completion: { redirect: { url: 'ftp://x' } } },
  },
  { code: 'logo_invalid', param: 'logo', path: '/v1/settings', body: { logo: 'AAAA' } },
  {
    code: 'refund_too_large',
    param: 'amount',
    given: '8.00',
    path: '/v1/payments/{pay}/refund',
    body: { amount: '8' },
  },
  { code: 'webhook_url_refused', param: 'url', path: '/v1/webhook_endpoints', body: { url: 'ftp://x' } },
  { code: 'approval_by_creator', path: '/v1/keys/{key}/confirm' },
  { code: 'fee_exists', path: '/v1/fee_rules', body: { on: 'payment', payment_link: '{plink}', basis_points: 1 } },
  { code: 'webhook_endpoint_none', param: 'webhook_endpoint', path: '/v1/events/{evt}/resend' },
  { code: 'bank_entry_not_returnable', path: '/v1/bank_entries/{be}/return', body: { reason: 'x' } },
  { code: 'bank_entry_not_voidable', path: '/v1/bank_entries/{be}/void', body: { reason: 'x' } },
  { code: 'bank_entry_not_voided', path: '/v1/bank_entries/{be}/unvoid', body: { reason: 'x' } },
  { code: 'payout_state_invalid', path: '/v1/payouts/{po}/resolve', body: { outcome: 'paid', reason: 'x' } },
  { code: 'bank_account_not_empty', path: '/v1/bank_accounts/{ba}/close' },
  {
    code: 'bank_month_open',
    param: 'month',
    given: '2099-01',
    path: '/v1/bank_accounts/{ba}/reconciliation/sign',
    body: { month: '2099-01' },
  },
  {
    code: 'bank_statement_reviewed',
    path: '/v1/bank_statements/{bs}/review',
    body: { reading: 1, reason: 'x' },
  },
  {
    code: 'statement_file_invalid',
    path: '/v1/statement_files',
    body: 'not a file',
    headers: { 'content-type': 'application/xml' },
  },
  {
    code: 'webhook_header_limit',
    param: 'headers',
    path: '/v1/webhook_endpoints/{we}',
    body: { headers: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-Header-${index}`, 'x'])) },
  },
  {
    code: 'webhook_endpoint_disabled',
    param: 'id',
    before: [{ path: '/v1/webhook_endpoints/{we}/disable' }],
    path: '/v1/webhook_endpoints/{we}/test',
  },
  {
    code: 'webhook_secret_limit',
    before: [{ path: '/v1/webhook_endpoints/{we}/roll_secret', body: { expires_in: 86_400 }, times: 3 }],
    path: '/v1/webhook_endpoints/{we}/roll_secret',
    body: { expires_in: 86_400 },
  },
  {
    code: 'payouts_frozen',
    before: [{ path: '/v1/settings/payouts', body: { frozen: true } }],
    ...payout({}),
  },
  {
    code: 'recipient_archived',
    param: 'recipient',
    before: [{ method: 'DELETE', path: '/v1/recipients/{rcp}' }],
    ...payout({ recipient: '{rcp}' }),
  },
];
