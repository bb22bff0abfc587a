/**
 * Guards against server-side request forgery: which URLs may be registered, which addresses connected to. Every address
 * of a name must pass, and only checked ones are connected to, so a name that resolves differently later gains nothing.
 * Next: `addresses.ts` for the blocks, `connect.ts` for the pinning and the peer.
 */
import { parseUrl } from '../../core/values/url.ts';
import type { PrivateTargets } from './private-targets.ts';
import { type AddressClass, classify, parseAddress } from './addresses.ts';
import { type FoundAddress, type Lookup, systemLookup } from './lookup.ts';

export interface GuardPolicy {
  readonly livemode: boolean;
  readonly privateTargets: PrivateTargets;
  /** What goes over the connection, for reasons of refusals; webhooks by default. */
  readonly what?: 'Rates';
}

/** Where live rates are fetched: as live webhooks, https to public addresses, whatever sandboxes may. */
export const RATES_POLICY: GuardPolicy = { livemode: true, privateTargets: 'none', what: 'Rates' };

/** `reason` is for the person who gave the URL. It never holds an address that a name resolved to. */
export type CheckedUrl = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string };

export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type ResolvedTarget =
  | (PinnedAddress & { readonly ok: true; readonly spare: readonly PinnedAddress[] })
  | { readonly ok: false; readonly reason: string; readonly kind: 'blocked' | 'dns' };

/** Browsers and servers agree on this length. */
export const URL_MAX_CHARACTERS = 2048;
const NAME_MAX_CHARACTERS = 253; // RFC 1035, as text
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Names of private networks: mDNS (RFC 6762), private use (ICANN's .internal), home networks (RFC 8375). */
const INNER_NAME = /^[^.]+$|(?:^|\.)(?:internal|local|home\.arpa)$/;
const LOCALHOST = /(?:^|\.)localhost$/; // RFC 6761

/**
 * The URL as the WHATWG standard parses it (`0x7f.1`, `２１３０７０６４３３` and `%31` become the addresses they stand for), if an
 * endpoint may have it. No name is resolved: an allowed name may still lead to a forbidden address.
 */
export function checkUrl(text: string, policy: GuardPolicy): CheckedUrl {
  if (text.length > URL_MAX_CHARACTERS)
    return refused(`The url has ${text.length} characters; at most 2048 are allowed.`);
  if (/[\s\p{Cc}]/u.test(text)) return refused('The url holds blanks or control characters. Percent-encode them.');
  const url = parseUrl(text);
  const fault = url
    ? (faultOfUrl(url) ?? faultOfPlace(url, policy))
    : 'The url is not one. Give it like https://hooks.example.com/bursar.';
  return url && fault === null ? { ok: true, url } : refused(fault ?? '');
}

function refused(reason: string): CheckedUrl {
  return { ok: false, reason };
}

function faultOfUrl(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `The url begins with ${url.protocol}. Webhooks are sent to https:// addresses.`;
  }
  if (url.href.length > URL_MAX_CHARACTERS) {
    return `The url has ${url.href.length} characters once encoded; at most 2048 are allowed.`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'The url holds a user name or password. Leave them out: deliveries are signed.';
  }
  if (url.href.includes('#')) return 'The url has a fragment (#…), which is never sent. Leave it out.';
  if (url.port === '0') return 'Port 0 cannot be connected to.';
  if (literalOf(url) === null && !isName(nameOf(url))) return `${url.hostname} is not a host name.`;
  return null;
}

function isName(name: string): boolean {
  return name.length <= NAME_MAX_CHARACTERS && name.split('.').every((label) => LABEL.test(label));
}

function faultOfPlace(url: URL, policy: GuardPolicy): string | null {
  const place = placeOf(url);
  if (place !== 'unknown' && !mayReach(place, policy)) return forbidden(url.hostname, place, policy);
  if (url.protocol === 'https:') return null;
  if (policy.livemode) return `${policy.what ?? 'Live webhooks'} need https://.`;
  if (place === 'loopback' || place === 'private') return null;
  if (place === 'unknown' && policy.privateTargets === 'private') return null; // decided by its addresses
  return plainTextToPublic(url.hostname, policy);
}

/** The class of the host as far as it is known without resolving the name. */
function placeOf(url: URL): AddressClass | 'unknown' {
  const literal = literalOf(url);
  if (literal !== null) return classify(literal);
  const name = nameOf(url);
  if (LOCALHOST.test(name)) return 'loopback';
  return INNER_NAME.test(name) ? 'private' : 'unknown';
}

/**
 * One forbidden address refuses the host. `dns`: the name could not be resolved; an endpoint may be registered before
 * its name exists. Pins the addresses that may be connected to, in the resolver's order.
 */
export async function resolveTarget(
  url: URL,
  policy: GuardPolicy,
  lookup: Lookup = systemLookup,
): Promise<ResolvedTarget> {
  const literal = literalOf(url);
  let found: readonly FoundAddress[];
  try {
    found = literal === null ? await lookup(nameOf(url)) : [{ address: literal, family: 0 }];
  } catch (error) {
    return { ok: false, kind: 'dns', reason: unresolved(url, (error as { code?: unknown }).code) };
  }
  // Copied before the check, so that the checked addresses are the pinned ones.
  const [first, ...spare] = found.map(({ address }) => pinned(address));
  if (!first) return { ok: false, kind: 'dns', reason: unresolved(url, 'ENODATA') };
  for (const { address } of [first, ...spare]) {
    const reason = refusePeer(address, url, policy);
    if (reason !== null) return { ok: false, kind: 'blocked', reason };
  }
  return { ok: true, ...first, spare };
}

/** Both checks; the answer holds the normalized URL. A name that cannot be resolved now is not refused. */
export async function checkTarget(
  text: string,
  policy: GuardPolicy,
  lookup: Lookup = systemLookup,
): Promise<{ readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string }> {
  const checked = checkUrl(text, policy);
  if (!checked.ok) return checked;
  const target = await resolveTarget(checked.url, policy, lookup);
  if (!target.ok && target.kind === 'blocked') return target;
  return { ok: true, url: checked.url.href };
}

/** Why this URL must not lead to this address, or `null`. For resolved addresses and for the connected peer. */
export function refusePeer(address: string, url: URL, policy: GuardPolicy): string | null {
  const place = classify(address);
  if (!mayReach(place, policy)) return forbidden(url.hostname, place, policy);
  return url.protocol === 'http:' && place === 'public' ? plainTextToPublic(url.hostname, policy) : null;
}

/** The family follows from the address; the one that a resolver gives is not used. */
function pinned(address: string): PinnedAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

function mayReach(place: AddressClass, { livemode, privateTargets }: GuardPolicy): boolean {
  if (place === 'public') return true;
  if (livemode || place === 'blocked') return false;
  return privateTargets === 'private' || (privateTargets === 'loopback' && place === 'loopback');
}

/** The address in the URL, without brackets; `null` if its host is a name. */
export function literalOf(url: URL): string | null {
  const text = url.hostname.replace(/^\[|\]$/g, '');
  return parseAddress(text) === null ? null : text;
}

/** The host name without the dot of the root, for look-ups and certificates. */
export function nameOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

const PLACE_WORDS = {
  public: 'a public address',
  loopback: 'this machine',
  private: 'a private network',
  blocked: 'an address of special use',
} as const satisfies Record<AddressClass, string>;

function forbidden(host: string, place: AddressClass, { livemode, what }: GuardPolicy): string {
  const allowed = livemode
    ? `${what === undefined ? 'Live webhooks go to' : `${what} come from`} public addresses only.`
    : place === 'blocked'
      ? 'Webhooks are never sent there.'
      : `Its operator allows that with BURSAR_WEBHOOK_PRIVATE_TARGETS=${place}.`;
  return `${host} leads to ${PLACE_WORDS[place]}. ${allowed}`;
}

function plainTextToPublic(host: string, { privateTargets }: GuardPolicy): string {
  const allowed = {
    none: 'Use https://.',
    loopback: 'Use https://; http:// is for this machine only, such as http://localhost:3000.',
    private: 'Use https://; http:// is for this machine and private networks only.',
  };
  return `${host} would be sent to in plain text. ${allowed[privateTargets]}`;
}

function unresolved(url: URL, code: unknown): string {
  return `The name ${nameOf(url)} could not be resolved (${typeof code === 'string' ? code : 'no reason given'}).`;
}
