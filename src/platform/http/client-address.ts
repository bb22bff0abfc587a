/**
 * Whose request it is: the peer, or the client that trusted proxies name. Clients write what they like into a
 * forwarding header, so only what a trusted proxy has added on the right is believed. Next: `keyless.ts`, `page.ts`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';

export type TrustedProxies = Pick<BlockList, 'check' | 'rules'>;

/** Parses `127.0.0.1, 10.0.0.0/8, fd00::/8`; '' is no proxy. `undefined` for anything else, and for `/0`, which is everybody. */
export function trustedProxies(text: string): TrustedProxies | undefined {
  const list = new BlockList();
  for (const each of text.split(',').map((part) => part.trim())) {
    if (each === '' && text.trim() === '') break;
    const [address = '', bits, ...more] = each.split('/');
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const prefix = bits === undefined ? most : /^[1-9]\d{0,2}$/.test(bits) ? Number(bits) : 0;
    if (version === 0 || address.includes('%') || more.length > 0 || prefix < 1 || prefix > most) return undefined;
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

export interface Origin {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

export interface ClientAddresses {
  /** The address of the client as text; '' when the peer has left. */
  addressOf(request: Origin): string;
  /** The network of one client: an IPv4 address, or the first 64 bits of an IPv6 address. '' when the peer has left. */
  networkOf(request: Origin): string;
  /** Whether the request comes from this machine itself: no proxy, known or unknown, has passed it on. */
  isLocal(request: Origin): boolean;
}

/** `warn` is called at most once: when a peer that is no trusted proxy sends a forwarding header. */
export function clientAddresses(trusted: TrustedProxies, warn: (message: string) => void): ClientAddresses {
  let warned = false;
  const addressOf = ({ socket, headers }: Origin): string => {
    const peer = canonical(socket.remoteAddress ?? '') ?? '';
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return peer;
    if (isTrusted(trusted, peer)) return forwardedClient(headers, peer, trusted);
    if (!warned) {
      warned = true;
      warn(
        'A request came with X-Forwarded-For or Forwarded from an address that is not in BURSAR_TRUSTED_PROXIES. The header is ignored: ' +
          'limits count all clients behind that address together. If it is your proxy, name it in BURSAR_TRUSTED_PROXIES.',
      );
    }
    return peer;
  };
  return {
    addressOf,
    networkOf: (request) => networkOf(addressOf(request)),
    isLocal: ({ socket, headers }) =>
      isLoopback(socket.remoteAddress) &&
      LOCAL_HOST.test(headers.host ?? 'localhost') &&
      !Object.keys(headers).some((name) => PROXY_HEADER.test(name)),
  };
}

/**
 * What proxies, content networks and load balancers add to a request that they pass on. Nearly every name that begins with `x-` counts,
 * because nobody can list them all; Prometheus adds one itself. A client that adds one gains nothing.
 */
const PROXY_HEADER =
  /^(?:x-(?!prometheus-scrape-timeout-seconds$)|(?:via|front-end-https|surrogate-capability)$|(?:akamai|cdn|cf|cloudfront|fastly|fly|incap|proxy|true-client|wl-proxy)-)|(?:^|-)forwarded(?:-|$)|-ip(?:v6)?$/;

/** Some proxies add nothing and pass on the name that the client asked for; a page of another site has a name of its own. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** The whole of 127/8, `::1`, and 127/8 as IPv6 sockets print it. */
function isLoopback(peer: string | undefined): boolean {
  return peer !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(peer);
}

function isTrusted(trusted: TrustedProxies, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && trusted.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The rightmost address that no trusted proxy has. Proxies often pass on the one header that they do not write themselves, so
 * when both headers are there they have to agree; else the client is counted as the proxy.
 */
function forwardedClient(headers: IncomingHttpHeaders, peer: string, trusted: TrustedProxies): string {
  const listed = headers['x-forwarded-for'];
  const standard = headers.forwarded;
  const byList = listed === undefined ? undefined : walk(String(listed), listAddress, peer, trusted);
  const byStandard = standard === undefined ? undefined : walk(standard, forwardedAddress, peer, trusted);
  if (byList !== undefined && byStandard !== undefined) return byList === byStandard ? byList : peer;
  return byList ?? byStandard ?? peer;
}

/** From the right. What cannot be read, such as `unknown`, ends the walk at the hop that wrote it. */
function walk(
  header: string,
  read: (element: string) => string | undefined,
  peer: string,
  trusted: TrustedProxies,
): string {
  let found = peer;
  for (const element of header.split(',').toReversed()) {
    const address = read(element.trim());
    if (address === undefined) break;
    found = address;
    if (!isTrusted(trusted, address)) break;
  }
  return found;
}

/** An address; some proxies add a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function listAddress(element: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(element) ?? [];
  return canonical(bracketed ?? plain ?? element);
}

/** The parameter `for` of an element (RFC 7239, section 4), whose every parameter has to be well-formed. */
function forwardedAddress(element: string): string | undefined {
  let node: string | undefined;
  for (const pair of element.split(';')) {
    const [, name, token, quoted] = /^\s*([\w-]+)=(?:([^\s"\\;,=]+)|"([^"\\]*)")\s*$/.exec(pair) ?? [];
    if (name === undefined) return undefined;
    if (name.toLowerCase() !== 'for') continue;
    if (node !== undefined) return undefined;
    node = token ?? quoted ?? '';
  }
  return node === undefined ? undefined : listAddress(node);
}

/** One spelling for one address, IPv4 as such; `undefined` if it is none. */
function canonical(address: string): string | undefined {
  const version = isIP(address);
  if (version === 4) return address;
  if (version === 0) return undefined;
  const text = new SocketAddress({ address: address.replace(/%.*/, ''), family: 'ipv6' }).address;
  return /^::ffff:[\d.]+$/.test(text) ? text.slice(7) : text;
}

function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = [], behind = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => '0');
  return [...before, ...zeros, ...behind].slice(0, 4).join(':');
}
