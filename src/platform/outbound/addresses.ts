/**
 * Classifies IP addresses by their bytes, because one address has many spellings. No library: the known ones call
 * `::a00:1` (10.0.0.1 as IPv6) public. An address that no block names is never `public`. Next: `guard.ts`.
 */
import { isIP } from 'node:net';

export type AddressClass = 'public' | 'loopback' | 'private' | 'blocked';

const IPV6_BYTES = 16;

/** 4 or 16 bytes, or `null` if the text is no address: names, short and octal forms, zones (`fe80::1%eth0`). */
export function parseAddress(text: string): Uint8Array | null {
  const version = text.includes('%') ? 0 : isIP(text);
  return version === 0 ? null : Uint8Array.from(version === 4 ? ipv4Bytes(text) : ipv6Bytes(text));
}

/** A text that is no address is `blocked`. */
export function classify(address: string): AddressClass {
  const bytes = parseAddress(address);
  if (!bytes || holdsIsatap(bytes)) return 'blocked';
  return BLOCKS.find((block) => contains(block, bytes))?.leadsTo ?? 'blocked';
}

const ipv4Bytes = (text: string): number[] => text.split('.').map(Number);

/** The last group may be an IPv4 address, and `::` stands for groups of zeros (RFC 4291, section 2.2). */
function ipv6Bytes(text: string): number[] {
  const [head = [], tail = []] = text
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').flatMap(groupBytes)));
  return [...head, ...Array.from({ length: IPV6_BYTES - head.length - tail.length }, () => 0), ...tail];
}

function groupBytes(group: string): number[] {
  if (group.includes('.')) return ipv4Bytes(group);
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}

/** An interface identifier `0:5efe:a.b.c.d` or `200:5efe:a.b.c.d` under whatever prefix tunnels to a.b.c.d (RFC 5214). */
function holdsIsatap(bytes: Uint8Array): boolean {
  return (
    bytes.length === IPV6_BYTES &&
    (bytes[8]! & 0xfd) === 0 &&
    bytes[9] === 0 &&
    bytes[10] === 0x5e &&
    bytes[11] === 0xfe
  );
}

interface Block {
  readonly prefix: Uint8Array;
  readonly bits: number;
  readonly leadsTo: AddressClass;
}

function contains({ prefix, bits }: Block, bytes: Uint8Array): boolean {
  if (prefix.length !== bytes.length) return false;
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 255 : (255 << (8 - (bits - bit))) & 255;
    if (((prefix[bit / 8]! ^ bytes[bit / 8]!) & mask) !== 0) return false;
  }
  return true;
}

function block(cidr: string, leadsTo: AddressClass): Block {
  const [prefix = '', bits = ''] = cidr.split('/');
  const bytes = parseAddress(prefix);
  if (!bytes || !(Number(bits) <= bytes.length * 8)) throw new Error(`${cidr} is no block of addresses`);
  return { prefix: bytes, bits: Number(bits), leadsTo };
}

/**
 * The first block that holds an address decides. Source: IANA's special-purpose address registries (RFC 6890),
 * multicast (RFC 5771, RFC 4291), addresses of clouds' credentials. Blocks without receivers are blocked too.
 */
const BLOCKS: readonly Block[] = [
  block('0.0.0.0/8', 'blocked'), // this network; connects to this machine on Linux
  block('10.0.0.0/8', 'private'), // RFC 1918
  block('100.64.0.0/10', 'blocked'), // carrier-grade NAT; holds 100.100.100.200, Alibaba's metadata
  block('127.0.0.0/8', 'loopback'),
  block('168.63.129.16/32', 'blocked'), // Azure's internal services
  block('169.254.0.0/16', 'blocked'), // link-local; holds 169.254.169.254, the metadata of most clouds
  block('172.16.0.0/12', 'private'), // RFC 1918
  block('192.0.0.0/24', 'blocked'), // protocol assignments; holds 192.0.0.192, Oracle's metadata
  block('192.0.2.0/24', 'blocked'), // documentation
  block('192.31.196.0/24', 'blocked'), // AS112
  block('192.52.193.0/24', 'blocked'), // AMT
  block('192.88.99.0/24', 'blocked'), // 6to4 relays
  block('192.168.0.0/16', 'private'), // RFC 1918
  block('192.175.48.0/24', 'blocked'), // AS112
  block('198.18.0.0/15', 'blocked'), // benchmarking
  block('198.51.100.0/24', 'blocked'), // documentation
  block('203.0.113.0/24', 'blocked'), // documentation
  block('224.0.0.0/4', 'blocked'), // multicast
  block('240.0.0.0/4', 'blocked'), // reserved, and the broadcast address
  block('0.0.0.0/0', 'public'),

  block('::1/128', 'loopback'),
  block('::ffff:127.0.0.0/104', 'loopback'), // 127/8 as IPv6 sockets print it
  block('fd00:ec2::/32', 'blocked'), // Amazon's metadata
  block('fd20:ce::/32', 'blocked'), // Google's metadata
  block('fc00::/7', 'private'), // unique local
  block('2001::/23', 'blocked'), // protocol assignments: Teredo, benchmarking, ORCHID, ORCHIDv2, DRIP
  block('2001:db8::/32', 'blocked'), // documentation
  block('2002::/16', 'blocked'), // 6to4: holds an IPv4 address
  block('2620:4f:8000::/48', 'blocked'), // AS112
  block('3fff::/20', 'blocked'), // documentation
  block('2000::/3', 'public'), // global unicast, the only assigned space
  // Everything else: mapped (::ffff:0:0/96), compatible (::/96), NAT64 (64:ff9b::/96, 64:ff9b:1::/48), link-local,
  // site-local, multicast, discard, segment routing, and unassigned space.
  block('::/0', 'blocked'),
];
