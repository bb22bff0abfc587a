/** Recipients by name or by account: a POST, so that neither stands in an address. */
import type { Recipient } from '../../../client/src/generated/types.ts';
import { type Bursar, type PageOf, post } from '../api/client.ts';

/** Country, two check digits, and at least the shortest account there is. */
const IBAN = /^[A-Z]{2}\d{2}(?: ?[A-Z0-9]){9,30}$/i;

interface Narrowing {
  readonly currency: string;
  readonly type: string;
  readonly status: string;
}

interface Found {
  readonly data: readonly Recipient[];
  readonly has_more?: boolean;
}

/** The first page. Throws `BursarError`. */
export async function searchRecipients(
  client: Bursar,
  sought: string,
  narrowing: Narrowing,
  after?: string,
): Promise<PageOf<Recipient>> {
  const what = IBAN.test(sought) ? { iban: sought } : { name: sought };
  const given = Object.fromEntries(Object.entries(narrowing).filter(([, value]) => value !== ''));
  const place = after === undefined ? {} : { starting_after: after };
  const { data, has_more: hasMore = false } = await post<Found>(client, '/v1/recipients/search', {
    ...what,
    ...given,
    ...place,
    limit: 100,
  });
  const last = data.at(-1)?.id;
  return {
    data,
    hasMore: hasMore && last !== undefined,
    next: async () => (last === undefined ? null : searchRecipients(client, sought, narrowing, last)),
  };
}
