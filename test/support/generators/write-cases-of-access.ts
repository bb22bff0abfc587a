/** The writes about keys, users and webhook endpoints, for `write-cases.ts`. */
import { API_VERSION } from '../../../src/core/values/version.ts';
import type { Case } from './write-cases.ts';

export const accessCases = (id: (name: string) => string): Case[] => {
  const [eur, eur2] = [id('eur'), id('eur2')];
  const metadata = { a: '1', b: '2' };
  const other = { a: '1', b: '3' };
  const hook = { url: 'https://hooks.example.com/one', enabled_events: ['account.closed'] };
  const version = API_VERSION;
  const noVersion = { version: '2026-12-02' }; // there is but one
  const inAYear = Math.floor(Date.now() / 86_400_000) * 86_400 + 366 * 86_400;
  return [
    {
      path: '/v1/webhook_endpoints',
      body: { ...hook, description: 'One', version, ordered: true, headers: { Authorization: 'Bearer one' }, metadata },
      early: ['version'],
      others: {
        url: 'https://hooks.example.com/two',
        enabled_events: ['account.*'],
        description: 'Two',
        ...noVersion,
        ordered: false,
        headers: { Authorization: 'Bearer two' },
        metadata: other,
      },
    },
    {
      path: `/v1/webhook_endpoints/${id('we')}`,
      body: { ...hook, description: 'One', version, ordered: true, headers: { Authorization: 'Bearer one' }, metadata },
      early: ['version'],
      others: {
        url: 'https://hooks.example.com/two',
        enabled_events: ['account.*'],
        description: '',
        ...noVersion,
        ordered: false,
        headers: { Authorization: 'Bearer two' },
        metadata: other,
      },
    },
    { path: `/v1/webhook_endpoints/${id('we')}/roll_secret`, body: { expires_in: 60 }, others: { expires_in: 61 } },
    {
      path: `/v1/webhook_endpoints/${id('we')}/replay`,
      body: { after_sequence: 5, until_sequence: 6, only: 'all' },
      others: { after_sequence: 4, until_sequence: 7, only: 'failed' },
    },
    {
      path: `/v1/webhook_endpoints/${id('we')}/replay`,
      body: { event: id('evt') },
      others: { event: id('evt2') },
      instead: { event: 'only' },
    },
    {
      path: `/v1/webhook_endpoints/${id('we')}/replay`,
      body: { created: { gte: 5 } },
      others: { created: { gte: 6 } },
    },
    {
      path: `/v1/events/${id('evt')}/resend`,
      body: { webhook_endpoint: id('we') },
      others: { webhook_endpoint: id('we2') },
    },
    {
      path: '/v1/keys',
      body: {
        name: 'one',
        scopes: ['payouts:read'],
        accounts: [eur],
        allowed_ips: ['10.0.0.0/8'],
        expires_at: inAYear,
        version,
      },
      early: ['version'],
      others: {
        ...noVersion,
        name: 'two',
        scopes: ['payouts:write'],
        accounts: [eur2],
        allowed_ips: ['10.0.0.1'],
        expires_at: inAYear + 1,
      },
    },
    {
      path: `/v1/keys/${id('key')}`,
      body: { name: 'three', version },
      others: { name: 'four', ...noVersion },
      early: ['version'],
    },
    {
      path: '/v1/users',
      body: { email: 'case@example.com', roles: ['viewer'], name: 'One' },
      others: { email: 'other-case@example.com', roles: ['viewer', 'operator'], name: 'Two' },
    },
    {
      path: `/v1/users/${id('usr')}`,
      body: { roles: ['viewer'], name: 'One' },
      others: { roles: ['operator'], name: 'Two' },
    },
    { path: `/v1/keys/${id('key')}/roll`, body: { expires_in: 600 }, others: { expires_in: 601 } },
  ];
};
