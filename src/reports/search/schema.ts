/** Searches on the wire. */
import { exampleId } from '../../core/values/ids.ts';
import { nullableText, strictObject } from '../../core/values/json-schema.ts';
import { moneyMembers } from '../../core/values/money.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { type JsonSchema, params, text } from '../../platform/http/request/params.ts';
import { type Hit, MATCHES } from './hits.ts';

export const searchParams = params({
  q: text({
    max: 140,
    description:
      'An id, the id that a bank quotes, an IBAN, a creditor reference, an amount, your own id, an idempotency key, a reference, or the beginning of words of a name.',
    example: 'Lovelace',
  }),
});

export function renderSearch(hits: readonly Hit[], isComplete: boolean, searchedUntilMs: number | null): string {
  const data = hits.map(({ object, id, title, subtitle, amount, currency, status, matched }) => {
    const money = currency === null ? '"amount":null,"amount_minor":null' : moneyMembers('amount', amount, currency);
    const [what, named, below] = [{ object, id }, { title }, { subtitle }].map((each) =>
      JSON.stringify(each).slice(1, -1),
    );
    return `{${what},${named},${below},${money},${JSON.stringify({ currency, status, matched }).slice(1)}`;
  });
  return `{"object":"search_result","data":[${data.join(',')}],"complete":${isComplete},"searched_until":${searchedUntilMs && unixSeconds(searchedUntilMs)}}`;
}

export const SEARCH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  SearchResult: strictObject('What was found.', {
    object: { const: 'search_result' },
    data: {
      type: 'array',
      description: 'At most 20, best first.',
      items: strictObject('An object that was found.', {
        object: { type: 'string', description: 'Its kind, such as `payout`.' },
        id: { type: 'string' },
        title: { type: 'string', description: 'What it is called: a name, or what it is.' },
        subtitle: nullableText('What tells it from others.'),
        amount: { type: ['number', 'null'], description: 'Major units.' },
        amount_minor: { type: ['integer', 'null'], description: 'Minor units.' },
        currency: nullableText('ISO 4217 code.'),
        status: nullableText('Its state, as the object has it.'),
        matched: {
          type: 'string',
          enum: MATCHES,
          description:
            'By what it was found. `account`: the account number. `recipient`: it pays a recipient of that name.',
        },
      }),
    },
    complete: {
      type: 'boolean',
      description: '`false`: there is more than is shown. Narrow the search, or use the filters of a list.',
    },
    searched_until: {
      type: ['integer', 'null'],
      description: 'Unix seconds. What is older was not looked through. `null`: everything was.',
    },
  }),
};

export const SEARCH_EXAMPLE = {
  object: 'search_result',
  data: [
    {
      object: 'recipient',
      id: exampleId('rcp'),
      title: 'Ada Lovelace',
      subtitle: 'DE · EUR · account ending in 3000',
      amount: null,
      amount_minor: null,
      currency: 'EUR',
      status: 'active',
      matched: 'name',
    },
    {
      object: 'payout',
      id: exampleId('po'),
      title: 'Ada Lovelace',
      subtitle: 'account ending in 3000 · Invoice 4711',
      amount: 250,
      amount_minor: 25_000,
      currency: 'EUR',
      status: 'paid',
      matched: 'recipient',
    },
  ],
  complete: true,
  searched_until: null,
};
