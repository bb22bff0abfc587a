/** Addresses and networks (CIDR) that a key may be used from: whether a text is one, what it holds, and which holds which. */
import { BlockList, isIP } from 'node:net';

/** An address counts as the network of itself. `bits` of the prefix. */
interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** `undefined` for what is none: `192.0.2.0/24`, `2001:db8::/32`, `192.0.2.7`. A prefix of 0 bits is everybody, and refused. */
export function networkFrom(text: string): Network | undefined {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = prefix === undefined ? most : /^[1-9]\d{0,2}$/.test(prefix) ? Number(prefix) : 0;
  return bits >= 1 && bits <= most ? { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
}

/** A test for addresses. Every text must be a network. */
export function anyOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = networkFrom(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Whether every address of `inner` is one of `outer`. */
export function isWithin(inner: string, outer: string): boolean {
  const [small, large] = [networkFrom(inner), networkFrom(outer)];
  if (!small || !large || small.family !== large.family || small.bits < large.bits) return false;
  return anyOf([outer])(small.address);
}
