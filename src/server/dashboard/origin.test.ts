/** Which hosts open the dashboard: a table of settings and names. */
import { describe, expect, it } from 'vitest';
import { addressOfDashboard, type DashboardAddresses, linksLeadTo, originOfDashboard } from './origin.ts';

const bare: DashboardAddresses = { publicUrl: '', dashboardUrl: null };
const published = { ...bare, publicUrl: 'https://pay.example.com' };
const apart = { ...published, dashboardUrl: 'https://console.example.com' };
const place = (origin: string, rpId: string | null) => ({ origin, rpId });

describe('without an address', () => {
  it.each([
    ['localhost:4242', place('http://localhost:4242', 'localhost')],
    ['LOCALHOST:4242', place('http://localhost:4242', 'localhost')],
    ['localhost', place('http://localhost', 'localhost')],
    ['127.0.0.1:4242', place('http://127.0.0.1:4242', null)],
    ['[::1]:4242', place('http://[::1]:4242', null)],
  ])('this machine is one: %s', (host, expected) => expect(originOfDashboard(bare, host)).toEqual(expected));
  it.each([
    undefined,
    '',
    '192.168.1.5:4242',
    'bursar',
    'localhost.evil.example',
    'evil.example:4242',
    'localhost:4242@evil.example',
    'evil.example/localhost',
    'localhost ',
    'localhost:123456',
    '127.0.0.1.evil.example',
    '[::1',
    '[::1].evil.example',
    'localhost.',
  ])('no other name is: %s', (host) => expect(originOfDashboard(bare, host)).toBe(421));
});

describe('with a public address', () => {
  it.each(['pay.example.com', 'PAY.example.com', 'pay.example.com:443', 'pay.example.com:8443'])(
    'its name opens it, whatever the port: %s',
    (host) => expect(originOfDashboard(published, host)).toEqual(place('https://pay.example.com', 'pay.example.com')),
  );
  it('so does this machine, for a tunnel', () =>
    expect(originOfDashboard(published, 'localhost:4242')).toEqual(place('http://localhost:4242', 'localhost')));
  it.each(['evil.example', 'x.pay.example.com', 'pay.example.com.evil.example', 'example.com', 'pay.example.com.'])(
    'no other name does: %s',
    (host) => expect(originOfDashboard(published, host)).toBe(421),
  );
  it('a path of it is left out', () =>
    expect(originOfDashboard({ ...bare, publicUrl: 'https://example.com/pay' }, 'example.com')).toEqual(
      place('https://example.com', 'example.com'),
    ));
  it('by plain http no browser keeps a session, but on this machine', () => {
    const cleartext = { ...bare, publicUrl: 'http://pay.example.com' };
    expect(originOfDashboard(cleartext, 'pay.example.com')).toBe(421);
    expect(originOfDashboard(cleartext, 'localhost:4242')).toEqual(place('http://localhost:4242', 'localhost'));
    const local = { ...bare, publicUrl: 'http://localhost:8080' };
    expect(originOfDashboard(local, 'localhost:8080')).toEqual(place('http://localhost:8080', 'localhost'));
  });
  it('a proxy on this machine and the service behind it are two places', () => {
    const local = { ...bare, publicUrl: 'https://localhost:8443' };
    expect(originOfDashboard(local, 'localhost:8443')).toEqual(place('https://localhost:8443', 'localhost'));
    expect(originOfDashboard(local, 'localhost:4242')).toEqual(place('http://localhost:4242', 'localhost'));
  });
});

describe('with an address of its own', () => {
  it('answers there', () =>
    expect(originOfDashboard(apart, 'console.example.com')).toEqual(
      place('https://console.example.com', 'console.example.com'),
    ));
  it.each([undefined, 'pay.example.com', 'localhost:4242', '127.0.0.1', 'evil.example', 'x.console.example.com'])(
    'and nowhere else, as if there were none: %s',
    (host) => expect(originOfDashboard(apart, host)).toBe(404),
  );
});

it.each([
  [{}, 'http://localhost:4242/dashboard'],
  [{ host: '0.0.0.0' }, 'http://localhost:4242/dashboard'],
  [{ host: '::' }, 'http://localhost:4242/dashboard'],
  [{ host: '::1' }, 'http://localhost:4242/dashboard'],
  [{ host: '192.168.1.5' }, null],
  [{ publicUrl: 'http://pay.example.com' }, 'http://localhost:4242/dashboard'],
  [{ publicUrl: 'https://pay.example.com/api' }, 'https://pay.example.com/dashboard'],
  [{ publicUrl: 'https://pay.example.com', dashboardUrl: apart.dashboardUrl }, `${apart.dashboardUrl}/dashboard`],
  [{ dashboard: false }, null],
])('is found where it answers: %j', (settings, expected) => {
  const address = addressOfDashboard({ ...bare, dashboard: true, host: '127.0.0.1', ...settings }, 4242);
  expect(address).toBe(expected);
  if (address !== null) expect(originOfDashboard({ ...bare, ...settings }, new URL(address).host)).toBeTypeOf('object');
});

describe('links for people', () => {
  it.each([
    [apart, 'https://pay.example.com', 'https://console.example.com'],
    [published, 'https://pay.example.com', 'https://pay.example.com'],
    [bare, 'http://127.0.0.1:4242', 'http://localhost:4242'], // passkeys need a name
    [bare, 'http://127.0.0.12:4242', 'http://127.0.0.12:4242'],
  ])('%j at %s lead to %s', (addresses, baseUrl, expected) => expect(linksLeadTo(addresses, baseUrl)).toBe(expected));
});
