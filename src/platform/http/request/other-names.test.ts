import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../test/support/harness/all-routes.ts';
import { RequestError } from '../../../core/values/errors.ts';
import { readForm } from './form.ts';
import { type Entry, OTHER_NAMES } from './other-names.ts';

const routeOf = (operation: string) => {
  const [method, path] = operation.split(' ');
  return ROUTES.find((route) => route.method === method && route.path === path);
};

/** The message about one parameter that is sent alone. */
function messageAbout(operation: string, name: string): string {
  const route = routeOf(operation);
  const parameters = route?.method === 'GET' ? route.query : route?.body;
  try {
    parameters?.parse(readForm(`${name}=x`, 8));
  } catch (error) {
    const { code, details, message } = error as RequestError;
    expect([code, details.param]).toEqual(['parameter_unknown', name]);
    return message;
  }
  throw new Error(`${operation} takes ${name}`);
}

describe('names of other APIs', () => {
  it.each([
    ['POST /v1/payouts', 'destination', 'Did you mean recipient?'],
    ['POST /v1/payouts', 'payment_method', 'Did you mean recipient?'],
    ['POST /v1/payouts', 'source', 'Did you mean account?'],
    ['POST /v1/payouts', 'description', 'Did you mean reference?'],
    ['POST /v1/payouts', 'arrival_date', 'Did you mean scheduled_on?'],
    ['POST /v1/payouts', 'amount_minor', 'Amounts are decimals in major units, such as amount=250.00.'],
    ['POST /v1/payouts', 'livemode', 'The key alone decides between sandbox and live.'],
    ['POST /v1/payouts', 'idempotency_key', 'Send it as the header Idempotency-Key.'],
    ['POST /v1/payouts', 'client_reference_id', 'Did you mean external_id?'],
    ['POST /v1/transfers', 'destination', 'Did you mean to?'],
    ['POST /v1/transfers', 'source', 'Did you mean from?'],
    ['POST /v1/recipients', 'account_holder_name', 'Did you mean name?'],
    ['POST /v1/bank_accounts', 'bank_account', 'Did you mean bank_details?'],
    ['POST /v1/recipients', 'swift_code', 'Did you mean bic?'],
    ['POST /v1/exchanges/quote', 'source_currency', 'Did you mean sell_currency?'],
    ['POST /v1/exchanges/quote', 'target_amount', 'Send amount, and fixed_side=buy where it is an amount to buy.'],
    ['POST /v1/webhook_endpoints', 'events', 'Did you mean enabled_events?'],
    ['POST /v1/webhook_endpoints', 'type', 'Did you mean enabled_events?'],
    ['POST /v1/webhook_endpoints/:id', 'disabled', 'Use POST /v1/webhook_endpoints/:id/disable and /enable.'],
    ['POST /v1/webhook_endpoints/:id', 'status', 'Use POST /v1/webhook_endpoints/:id/disable and /enable.'],
    ['POST /v1/payment_links', 'url', 'Did you mean after_completion[redirect][url]?'],
    ['POST /v1/payment_links/:id', 'active', 'Use POST /v1/payment_links/:id/deactivate.'],
    ['GET /v1/payment_links', 'active', 'Did you mean status?'],
    ['GET /v1/payments', 'payment_method', 'Did you mean method?'],
    ['GET /v1/payouts', 'destination', 'Did you mean recipient?'],
    ['GET /v1/payouts', 'page', 'Pages follow an id: starting_after takes the last one of the page before.'],
    ['GET /v1/payouts', 'created_after', 'Did you mean created[gte]?'],
    ['GET /v1/payouts', 'per_page', 'Did you mean limit?'],
    ['GET /v1/payouts', 'livemode', 'The key alone decides between sandbox and live.'],
    ['GET /v1/events', 'enabled_events', 'Did you mean types?'],
    ['GET /v1/events', 'object_id', 'Did you mean related_object?'],
    ['POST /v1/keys', 'permissions', 'Did you mean scopes?'],
    // What is only mistyped, and what nothing is known of.
    ['POST /v1/payouts', 'recipeint', 'Did you mean recipient?'],
    ['POST /v1/payouts', 'zzz', 'here.'],
    ['POST /v1/accounts', 'destination', 'here.'],
  ])('%s %s', (operation, name, hint) => {
    expect(messageAbout(operation, name)).toMatch(new RegExp(`${hint.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`));
  });

  it('inside a list they are offered in their place', () => {
    const message = () => routeOf('POST /v1/payouts/batch')?.body?.parse(readForm('payouts[0][destination]=x', 8));
    expect(message).not.toThrow(); // a batch collects the faults of its items
    const link = () =>
      routeOf('POST /v1/payment_links')?.body?.parse(
        readForm('currency=EUR&after_completion[redirect][endpoint]=x', 8),
      );
    expect(link).toThrow('Did you mean after_completion[redirect][url]?');
  });
});

it('what is offered is a parameter somewhere, and no entry is without use', () => {
  const places = ROUTES.flatMap(({ body, query }) => [body, query]).map((each) => Object.keys(each?.fields ?? {}));
  const isOffered = (other: string, entry: Entry) => {
    const needed = 'words' in entry ? (entry.beside ?? []) : [entry.name];
    return places.some((known) => !known.includes(other) && needed.every((name) => known.includes(name)));
  };
  for (const [other, entries] of OTHER_NAMES) {
    expect([other, entries.some((entry) => isOffered(other, entry))]).toEqual([other, true]);
    const synonyms = [...OTHER_NAMES].filter(([, same]) => same === entries).map(([name]) => name);
    for (const entry of entries)
      expect([entry, synonyms.some((name) => isOffered(name, entry))]).toEqual([entry, true]);
  }
  expect(OTHER_NAMES.size).toBeGreaterThan(100);
});
