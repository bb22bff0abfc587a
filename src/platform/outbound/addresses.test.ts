import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressClass, classify, parseAddress } from './addresses.ts';

const text = (bytes: readonly number[]) => bytes.join('.');
const groups = (bytes: Uint8Array) =>
  Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16)).join(':');

describe('parseAddress', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0'],
    ['::1', '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1'],
    ['1::', '0.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0'],
    ['2001:DB8::00ff:a', '32.1.13.184.0.0.0.0.0.0.0.0.0.255.0.10'],
    ['::ffff:10.0.0.1', '0.0.0.0.0.0.0.0.0.0.255.255.10.0.0.1'],
    ['1:2:3:4:5:6:1.2.3.4', '0.1.0.2.0.3.0.4.0.5.0.6.1.2.3.4'],
    ['1:2:3:4:5:6:7::', '0.1.0.2.0.3.0.4.0.5.0.6.0.7.0.0'],
  ])('%s', (address, bytes) => expect(text([...parseAddress(address)!])).toBe(bytes));

  const NONE = ['', ' ', '1', '1.2.3', '1.2.3.4.', '1.2.3.4.5', '01.2.3.4', '0177.0.0.1', '0x7f.0.0.1', '256.0.0.1'];
  const NOT_FOUR = [
    '-1.2.3.4',
    '1.2.3.4 ',
    '１.2.3.4',
    'localhost',
    'example.com',
    '2130706433',
    '1.2.3.4/8',
    '1.2.3.4\n',
  ];
  const NOT_EIGHT = [':', ':::', '1:::2', '1::2::3', '12345::', 'g::', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9'];
  const NOT_SIXTEEN = ['1:2:3:4::5:6:7:8', ':1:2:3:4:5:6:7', '1.2.3.4::', '::1.2.3', '::1.2.3.4:5', '::01.2.3.4'];
  const NOT_BARE = ['fe80::1%eth0', '[::1]', '::1 '];

  it.each([NONE, NOT_FOUR, NOT_EIGHT, NOT_SIXTEEN, NOT_BARE].flat())('refuses %j', (address) => {
    expect(parseAddress(address)).toBeNull();
    expect(classify(address)).toBe('blocked');
  });

  it('reads what Node reads, and nothing else', () => {
    const character = fc.constantFrom(...'0123456789abcdefF:.:.');
    const anything = fc.string({ unit: character, maxLength: 24 });
    fc.assert(
      fc.property(fc.oneof(anything, fc.ipV4(), fc.ipV6(), fc.ipV4Extended()), (address) => {
        expect(parseAddress(address)?.length ?? 0).toBe({ 0: 0, 4: 4, 6: 16 }[isIP(address) as 0 | 4 | 6]);
      }),
      { numRuns: 5000 },
    );
  });

  it('gives the bytes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect(parseAddress(groups(bytes))).toEqual(bytes);
      }),
    );
  });
});

/** First and last address of each block, and its neighbours outside. */
const V4: readonly (readonly [AddressClass, string, string])[] = [
  ['blocked', '0.0.0.0', '0.255.255.255'],
  ['public', '1.0.0.0', '9.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255'],
  ['public', '11.0.0.0', '100.63.255.255'],
  ['blocked', '100.64.0.0', '100.127.255.255'],
  ['public', '100.128.0.0', '126.255.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['public', '128.0.0.0', '168.63.129.15'],
  ['blocked', '168.63.129.16', '168.63.129.16'],
  ['public', '168.63.129.17', '169.253.255.255'],
  ['blocked', '169.254.0.0', '169.254.255.255'],
  ['public', '169.255.0.0', '172.15.255.255'],
  ['private', '172.16.0.0', '172.31.255.255'],
  ['public', '172.32.0.0', '191.255.255.255'],
  ['blocked', '192.0.0.0', '192.0.0.255'],
  ['public', '192.0.1.0', '192.0.1.255'],
  ['blocked', '192.0.2.0', '192.0.2.255'],
  ['public', '192.0.3.0', '192.31.195.255'],
  ['blocked', '192.31.196.0', '192.31.196.255'],
  ['public', '192.31.197.0', '192.52.192.255'],
  ['blocked', '192.52.193.0', '192.52.193.255'],
  ['public', '192.52.194.0', '192.88.98.255'],
  ['blocked', '192.88.99.0', '192.88.99.255'],
  ['public', '192.88.100.0', '192.167.255.255'],
  ['private', '192.168.0.0', '192.168.255.255'],
  ['public', '192.169.0.0', '192.175.47.255'],
  ['blocked', '192.175.48.0', '192.175.48.255'],
  ['public', '192.175.49.0', '198.17.255.255'],
  ['blocked', '198.18.0.0', '198.19.255.255'],
  ['public', '198.20.0.0', '198.51.99.255'],
  ['blocked', '198.51.100.0', '198.51.100.255'],
  ['public', '198.51.101.0', '203.0.112.255'],
  ['blocked', '203.0.113.0', '203.0.113.255'],
  ['public', '203.0.114.0', '223.255.255.255'],
  ['blocked', '224.0.0.0', '255.255.255.255'],
];

const V6: readonly (readonly [AddressClass, ...string[]])[] = [
  ['loopback', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7fff:ffff'],
  ['private', 'fc00::1', 'fd12:3456:789a::1', 'fdff:ffff::'],
  ['public', '2606:4700:4700::1111', '2a00:1450:4001:800::200e', '2001:4860:4860::8888', '2001:200::', '2003::1'],
  ['public', '2000::', '3fff:1000::1', '3ffe:ffff::1', '2001:db7:ffff::1', '2001:db9::1'],
  ['blocked', '::', '::2', '::a00:1', '::7f00:1', '::8.8.8.8', '::1:0:0'],
  ['blocked', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:169.254.169.254', '::ffff:0:127.0.0.1', '::ffff:126.0.0.1'],
  ['blocked', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1', '64:ff9b:2::1'],
  ['blocked', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:2::1', '2001:10::1', '2001:20::1', '2001:30::1'],
  ['blocked', '2001:1ff:ffff::1', '2001:db8::1', '2002:7f00:1::', '2002:a00:1::1', '3fff::1', '3fff:fff:ffff::1'],
  ['blocked', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1', '100::1', '5f00::1', '4000::', '1fff:ffff::1'],
  ['blocked', 'fd00:ec2::254', 'fd20:ce::254', '2620:4f:8000::1', 'fe80::5efe:a00:1', '2a00::5efe:10.0.0.1'],
  ['blocked', '2a00::200:5efe:8.8.8.8', 'fd00::5efe:127.0.0.1'],
];

describe('classify', () => {
  it.each(V4)('%s: %s to %s', (leadsTo, first, last) => {
    for (const address of [first, last]) expect([address, classify(address)]).toEqual([address, leadsTo]);
  });

  it('leaves no gap between the blocks of the table above', () => {
    const number = (address: string) => parseAddress(address)!.reduce((sum, byte) => sum * 256 + byte, 0);
    const next = V4.map(([, first], i) => (i === 0 ? 0 : number(V4[i - 1]![2]) + 1) - number(first));
    expect(next.every((gap) => gap === 0)).toBe(true);
    expect(number(V4.at(-1)![2])).toBe(2 ** 32 - 1);
  });

  it.each(V6)('%s: %s %s %s %s %s %s', (leadsTo, ...addresses) => {
    for (const address of addresses) expect([address, classify(address)]).toEqual([address, leadsTo]);
  });

  it('calls no IPv6 address public outside 2000::/3', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        if (bytes[0]! >> 5 !== 1) expect(classify(groups(bytes))).not.toBe('public');
      }),
      { numRuns: 2000 },
    );
  });
});
