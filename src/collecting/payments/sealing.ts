/**
 * Payment links and payments at rest. Whoever has the token of a page can open it, so it is looked up by a blind index
 * and sealed in rows, stored events and recorded answers. The payer’s account is sealed too. Next: `write/at-rest.ts`.
 */
import type { Seals, TextSeals } from '../../platform/vault/seals.ts';
import {
  type ClearText,
  clearText,
  isSealed,
  openedBy,
  type ServerSecrets,
  vault,
} from '../../platform/vault/vault.ts';
import type { Payment, PaymentLink } from './fields.ts';
import { isToken } from './tokens.ts';

export interface PaymentSeals {
  /** Names the keys of the server secrets, that of the current one first. */
  readonly keyIds: readonly string[];
  readonly link: Seals<PaymentLink>;
  readonly payment: Seals<Payment>;
  /** The JSON of any object. Only that of a payment link has a part to be sealed: the token at the end of `url`. */
  readonly json: TextSeals;
  /** What the look-up of tokens is to hold instead of the token: 43 characters of base64url. */
  lookUpOf(token: string): string;
  /** All that it may hold: under the current server secret, and under earlier ones. */
  lookUpsOf(token: string): readonly string[];
}

/** The JSON of a payment link begins so, and only its. Its id follows. */
const LINK_JSON = '{"id":"plink_';
const ID_AT = '{"id":"'.length;
/** No text of the merchant comes before it. */
const URL_MEMBER = '"url":"';

export function paymentSeals(secrets: ServerSecrets, clear: ClearText = 'refused'): PaymentSeals {
  const pages = vault(secrets, 'page tokens', 'page token');
  const payers = vault(secrets, 'accounts of payers', 'account of the payer');
  const lookUps = (token: string) => pages.blind(token).map((each) => each.toString('base64url'));

  /** `change` turns the last part of the page's address into another. */
  const withToken = (json: string, change: (part: string, id: string) => string): string => {
    if (!json.startsWith(LINK_JSON)) return json;
    const member = json.indexOf(URL_MEMBER);
    const end = member === -1 ? -1 : json.indexOf('"', member + URL_MEMBER.length);
    if (end === -1) return json;
    const start = json.lastIndexOf('/', end) + 1;
    if (start <= member + URL_MEMBER.length) return json;
    const id = json.slice(ID_AT, json.indexOf('"', ID_AT));
    return json.slice(0, start) + change(json.slice(start, end), id) + json.slice(end);
  };

  return {
    keyIds: pages.keyIds,
    link: {
      seal(link) {
        const token = pages.seal(link.token, link.id);
        return { ...link, token, url: endingWith(link.url, link.token, token) };
      },
      open(stored) {
        const token = openedBy(pages, stored.token, stored.id, clear);
        return { ...stored, token, url: endingWith(stored.url, stored.token, token) };
      },
      isCurrent: (stored) => pages.isCurrent(stored.token),
    },
    payment: {
      seal: (payment) => ({
        ...payment,
        token: payment.token === null ? null : pages.seal(payment.token, payment.id),
        payerIban: payment.payerIban === null ? null : payers.seal(payment.payerIban, payment.id),
      }),
      open: (stored) => ({
        ...stored,
        token: stored.token && openedBy(pages, stored.token, stored.id, clear),
        payerIban: stored.payerIban && openedBy(payers, stored.payerIban, stored.id, clear),
      }),
      isCurrent: ({ token, payerIban }) =>
        (token === null || pages.isCurrent(token)) && (payerIban === null || payers.isCurrent(payerIban)),
    },
    json: {
      seal: (json) => withToken(json, (part, id) => (isToken(part) ? pages.seal(part, id) : part)),
      open: (stored) =>
        withToken(stored, (part, id) => {
          if (isSealed(part)) return pages.open(part, id);
          if (clear === 'refused' && isToken(part)) throw clearText('page token', id);
          return part;
        }),
      isCurrent(stored) {
        let isCurrent = true;
        withToken(stored, (part) => {
          isCurrent = pages.isCurrent(part);
          return part;
        });
        return isCurrent;
      },
    },
    lookUpOf: (token) => lookUps(token)[0] as string,
    lookUpsOf: lookUps,
  };
}

/** The address with another last part; an address that does not end so stays as it is. */
function endingWith(url: string, last: string, other: string): string {
  return url.endsWith(last) ? url.slice(0, -last.length) + other : url;
}
