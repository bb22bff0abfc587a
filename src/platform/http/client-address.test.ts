/** Whose request it is: only what trusted proxies have added is believed, and no header makes it throw. */
import { expect, test } from 'vitest';
import { clientAddresses, trustedProxies } from './client-address.ts';

const PROXIES = '10.0.0.0/8, 127.0.0.1, fd00::/8';

function client(peer: string, headers: Record<string, string>, proxies = PROXIES) {
  const warnings: string[] = [];
  const addresses = clientAddresses(trustedProxies(proxies)!, (message) => void warnings.push(message));
  const request = { socket: { remoteAddress: peer }, headers };
  const network = addresses.networkOf(request);
  addresses.networkOf(request);
  return { network, warnings, isLocal: addresses.isLocal(request) };
}

const list = (header: string) => client('10.1.1.1', { 'x-forwarded-for': header }).network;
const standard = (header: string) => client('10.1.1.1', { forwarded: header }).network;

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['6.6.6.6, 192.0.2.1', '192.0.2.1'], // what the client wrote itself stands on the left
  ['6.6.6.6,192.0.2.1 , 10.2.2.2,127.0.0.1', '192.0.2.1'],
  ['10.9.9.9', '10.9.9.9'],
  ['10.9.9.9, 10.2.2.2', '10.9.9.9'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['[2001:db8:1:2::9]:4711', '2001:db8:1:2'],
  ['2001:DB8:0001:2:3::9', '2001:db8:1:2'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['6.6.6.6, fd00::1, 10.0.0.1', '6.6.6.6'],
  // unreadable: the hop that wrote it
  ['6.6.6.6, unknown', '10.1.1.1'],
  ['6.6.6.6, , 10.2.2.2', '10.2.2.2'],
  ['', '10.1.1.1'],
  [',', '10.1.1.1'],
  [',,,,192.0.2.1', '192.0.2.1'],
  ['999.1.1.1', '10.1.1.1'],
  ['192.0.2.01', '10.1.1.1'],
  ['fe80::1%eth0]', '10.1.1.1'],
  ['[::1', '10.1.1.1'],
  ['192.0.2.1:4711:1', '10.1.1.1'],
  ['1'.repeat(15_000), '10.1.1.1'],
])('X-Forwarded-For: %s is %s', (header, network) => {
  expect(list(header)).toBe(network);
});

test.each([
  ['for=192.0.2.1', '192.0.2.1'],
  ['For="192.0.2.1:80";proto=https;by=10.0.0.1', '192.0.2.1'],
  ['for="[2001:db8:1:2::9]:47"', '2001:db8:1:2'],
  ['for=6.6.6.6, for=192.0.2.1;proto=http, for=10.2.2.2', '192.0.2.1'],
  ['for=6.6.6.6, for=unknown', '10.1.1.1'],
  ['for=6.6.6.6, for=_hidden', '10.1.1.1'],
  ['for=6.6.6.6, proto=https', '10.1.1.1'],
  ['for=6.6.6.6;for=192.0.2.1', '10.1.1.1'],
  ['for="', '10.1.1.1'],
  ['for=", for=192.0.2.1', '192.0.2.1'],
  // a Host that the proxy quotes does not become an element
  ['for=192.0.2.1;host="x,for=6.6.6.6;host=y"', '10.1.1.1'],
  ['for=192.0.2.1;host="x,for=6.6.6.6;b=\\"y"', '10.1.1.1'],
  ['=;=;=', '10.1.1.1'],
])('Forwarded: %s is %s', (header, network) => {
  expect(standard(header)).toBe(network);
});

test('both headers have to agree, because a proxy passes on the one that it does not write', () => {
  const both = (listed: string, forwarded: string) =>
    client('10.1.1.1', { 'x-forwarded-for': listed, forwarded }).network;
  expect(both('192.0.2.1', 'for=192.0.2.1')).toBe('192.0.2.1');
  expect(both('192.0.2.1', 'for=6.6.6.6')).toBe('10.1.1.1');
});

test('a peer that is not trusted is believed nothing, and one warning names the setting', () => {
  const { network, warnings } = client('192.0.2.9', { 'x-forwarded-for': '6.6.6.6' });
  expect(network).toBe('192.0.2.9');
  expect(warnings).toEqual([expect.stringContaining('BURSAR_TRUSTED_PROXIES')]);
  expect(client('10.1.1.1', { forwarded: 'for=6.6.6.6' }, '').network).toBe('10.1.1.1');
  // control: from a trusted one the same header counts, without a word
  expect(client('::ffff:10.1.1.1', { 'x-forwarded-for': '6.6.6.6' })).toMatchObject({
    network: '6.6.6.6',
    warnings: [],
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('the network of the peer %s is %s', (peer, network) => {
  expect(client(peer, {}).network).toBe(network);
});

test.each([
  ['127.0.0.1', {}, true],
  ['127.9.9.9', {}, true],
  ['::1', {}, true],
  ['::ffff:127.0.0.1', {}, true],
  ['192.0.2.1', {}, false],
  ['::ffff:192.0.2.1', {}, false],
  ['', {}, false],
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, false],
  ['127.0.0.1', { forwarded: '' }, false],
  ['127.0.0.1', { 'x-real-ip': '' }, false],
  ['127.0.0.1', { via: '1.1 x' }, false],
  ['127.0.0.1', { 'x-forwarded-host': 'x' }, false],
  ['127.0.0.1', { 'x-forwarded-proto': 'https' }, false],
  ['127.0.0.1', { 'x-original-url': '/' }, false],
  ['127.0.0.1', { 'cf-connecting-ip': '192.0.2.1' }, false],
  ['127.0.0.1', { 'true-client-ip': '192.0.2.1' }, false],
  ['127.0.0.1', { 'x-client-ip': '192.0.2.1' }, false],
  ['127.0.0.1', { 'x-cluster-client-ip': '192.0.2.1' }, false],
  ['127.0.0.1', { 'cf-connecting-ipv6': '2001:db8::1' }, false],
  ['127.0.0.1', { 'fastly-client-ip': '192.0.2.1' }, false],
  ['127.0.0.1', { 'fly-client-ip': '192.0.2.1' }, false],
  ['127.0.0.1', { 'fly-forwarded-proto': 'https' }, false],
  ['127.0.0.1', { 'client-ip': '192.0.2.1' }, false],
  ['127.0.0.1', { 'x-envoy-external-address': '192.0.2.1' }, false],
  ['127.0.0.1', { 'x-original-forwarded-for': '192.0.2.1' }, false],
  ['127.0.0.1', { 'x-amzn-trace-id': 'Root=1-2' }, false],
  ['127.0.0.1', { 'x-azure-clientip': '192.0.2.1' }, false],
  ['127.0.0.1', { 'x-azure-ref': '0' }, false],
  ['127.0.0.1', { 'x-vercel-id': '0' }, false],
  ['127.0.0.1', { 'x-request-id': '0' }, false],
  ['127.0.0.1', { 'cdn-loop': 'cloudflare' }, false],
  // HAProxy, which adds nothing by itself, and a page that has led its name to this machine
  ['127.0.0.1', { host: 'pay.example.com' }, false],
  ['127.0.0.1', { host: 'evil.example:4242' }, false],
  ['127.0.0.1', { host: '127.0.0.1.example.com' }, false],
  ['::1', { host: '[::1]:4242' }, true],
  // what a scraper or a person on this machine sends
  ['127.0.0.1', { host: '127.0.0.1:4242', accept: '*/*', 'user-agent': 'x-ray', 'accept-encoding': 'gzip' }, true],
  ['127.0.0.1', { host: 'localhost:4242', 'x-prometheus-scrape-timeout-seconds': '10' }, true],
  ['127.0.0.1', { 'cf-ray': '1' }, false],
  ['127.0.0.1', { host: 'localhost' }, true],
])('from %s with %j: local %s', (peer, headers, isLocal) => {
  expect(client(peer, headers as Record<string, string>).isLocal).toBe(isLocal);
});

test.each([
  '10.0.0.0/33',
  '10.0.0.0/0',
  '::/0',
  '::/129',
  '10.0.0/8',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  '10.0.0.0/08',
  'proxy',
  '10.0.0.1;10.0.0.2',
  '10.0.0.1,',
  'fe80::1%eth0',
  '*',
])('%s names no proxies', (text) => {
  expect(trustedProxies(text)).toBeUndefined();
});
