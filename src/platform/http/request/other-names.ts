/**
 * What other payment APIs call our parameters: offered where a name is unknown, never accepted. A name of ours is offered only where it
 * is a parameter; words, where what they speak of is one. What is only mistyped: `core/values/nearest.ts`.
 */

/** `{name: 'amount'}` stands for itself; `{name: 'created', as: 'created[gte]'}` is written otherwise. */
interface Known {
  readonly name: string;
  readonly as?: string;
}

/** Said where all of `beside` are parameters; always, if there is none. */
interface Words {
  readonly words: string;
  readonly beside?: readonly string[];
}

const names = (text: string) => text.split(' ').map((name): Known => ({ name }));
const say = (words: string, ...beside: readonly string[]): Words => ({ words, beside });

const MINOR = say('Amounts are decimals in major units, such as amount=250.00.', 'amount');
const MODE = say('The key alone decides between sandbox and live.');
const KEY = say('Send it as the header Idempotency-Key.');
const DISABLE = say('Use POST /v1/webhook_endpoints/:id/disable and /enable.', 'enabled_events');
const DEACTIVATE = say('Use POST /v1/payment_links/:id/deactivate.', 'after_completion');
const SIDE = say('Send amount, and fixed_side=buy where it is an amount to buy.', 'fixed_side');
const REDIRECT: Known = { name: 'after_completion', as: 'after_completion[redirect][url]' };
const SINCE: Known = { name: 'created', as: 'created[gte]' };
const UNTIL: Known = { name: 'created', as: 'created[lt]' };
const PAGE = say('Pages follow an id: starting_after takes the last one of the page before.', 'starting_after');

export type Entry = Known | Words;
const TABLE: readonly (readonly [others: string, ...ours: Entry[]])[] = [
  ['destination', ...names('recipient to')],
  ['beneficiary payee counterparty payment_method external_account', ...names('recipient method bank_details')],
  ['payment_method_types', ...names('method')],
  ['bank_account', ...names('bank_details recipient')],
  ['source debit_account funding_account wallet', ...names('account from sell_currency')],
  ['source_account from_account', ...names('from sell_account account')],
  ['destination_account target_account to_account', ...names('to buy_account recipient')],
  ['from from_currency source_currency', ...names('sell_currency'), SINCE],
  ['to to_currency target_currency buying_currency', ...names('buy_currency'), UNTIL],
  ['source_amount target_amount sell_amount buy_amount', SIDE, ...names('amount')],
  ['amount_minor amount_cents cents unit_amount', MINOR],
  ['value total price line_items', ...names('amount')],
  ['currency_code', ...names('currency')],
  ['description memo note narrative purpose message', ...names('reference description')],
  ['arrival_date send_date execution_date payout_date schedule_date scheduled_for', ...names('scheduled_on')],
  ['wait_until', ...names('wait_until_on')],
  ['start_date begins_at first', ...names('starts_on')],
  ['end_date ends_at last', ...names('ends_on')],
  ['frequency', ...names('interval')],
  ['client_reference_id reference_id merchant_reference transaction_id', ...names('external_id reference')],
  ['idempotency_key request_id client_request_id unique_request_id', KEY],
  ['livemode test_mode testmode sandbox environment', MODE],
  ['state', ...names('status')],
  ['cursor after next_page page_token', ...names('starting_after')],
  ['before', ...names('ending_before')],
  ['page offset', PAGE],
  ['per_page page_size count size', ...names('limit')],
  ['sort sort_by order_by direction', ...names('order')],
  ['since created_after start from_date created_from', SINCE],
  ['until created_before end to_date created_to', UNTIL],
  ['account_holder_name account_holder holder_name beneficiary_name full_name', ...names('name')],
  ['first_name last_name business_name company_name display_name nickname label title', ...names('name')],
  ['account_holder_type legal_type entity_type business_type', ...names('type')],
  ['swift swift_code swift_bic bic_code', ...names('bic')],
  ['aba aba_routing_number routing_code', ...names('routing_number')],
  ['bank_country bank_country_code country_code', ...names('country')],
  ['email receipt_email', ...names('customer_email')],
  ['url success_url return_url redirect_url', REDIRECT],
  ['endpoint target_url callback_url webhook_url', ...names('url')],
  ['events event_types subscriptions types type', ...names('enabled_events')],
  ['enabled_events event_type', ...names('types')],
  ['object object_id resource resource_id', ...names('related_object subject')],
  ['disabled enabled', DISABLE],
  ['active status', DISABLE, DEACTIVATE, ...names('status')],
  ['single_use', ...names('reusable')],
  ['restrictions', ...names('max_payments')],
  ['permissions', ...names('scopes')],
  ['ip_whitelist ip_allowlist ips allowed_addresses', ...names('allowed_ips')],
];

export const OTHER_NAMES: ReadonlyMap<string, readonly Entry[]> = new Map(
  TABLE.flatMap(([others, ...ours]) => others.split(' ').map((other) => [other, ours] as const)),
);

/** What to say about a name that is no parameter, among those that are; `at` puts a name into its place, such as `payouts[0][amount]`. */
export function hintFor(name: string, known: readonly string[], at: (name: string) => string): string | undefined {
  for (const entry of OTHER_NAMES.get(name.toLowerCase()) ?? []) {
    if ('words' in entry) {
      if (entry.beside?.every((each) => known.includes(each)) !== false) return entry.words;
    } else if (known.includes(entry.name)) return `Did you mean ${at(entry.as ?? entry.name)}?`;
  }
  return undefined;
}
