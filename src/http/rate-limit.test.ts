/** Addresses are counted like keys, but forgotten, and a visitor's whole network is one. */
import { expect, test } from 'vitest';
import { addressLimit, networkOf } from './rate-limit.ts';

test('addresses are forgotten after a second, or when they are too many', () => {
  const limit = addressLimit(1);
  expect([limit?.take('a', 0), limit?.take('a', 999), limit?.take('b', 999)]).toEqual([0, -1, 0]);
  expect([limit?.take('a', 1_000), limit?.take('a', 1_001)]).toEqual([0, -1]);
  for (let i = 2; i < 100_001; i++) limit?.take(`10.${i}`, 1_002);
  expect([limit?.take('a', 1_003), limit?.take('a', 1_004)]).toEqual([0, -1]);
  expect(addressLimit(0)).toBeNull();
});

test('addresses of one network are counted together', () => {
  const limit = addressLimit(2);
  const left = ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:db8::3', '2001:db8:0:1::1'].map((address) =>
    limit?.take(address, 5),
  );
  expect(left).toEqual([1, 0, -1, 1]);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8::4:5:6:7:8', '2001:db8:0:4'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
