/** What the start says of an installation, and that the guide lists the same checks. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { banner } from '../server/banner.ts';
import { CHECKS, type HardeningFacts, shortcomings } from './hardening.ts';

const OWN = { isSuperuser: false, isOwner: false, hasRights: true };
const OWNER = { isSuperuser: false, isOwner: true, hasRights: true };
const facts = (env: Record<string, string>, rest: Partial<HardeningFacts> = {}): HardeningFacts => ({
  config: loadConfig(env),
  login: OWN,
  liveKeys: 0,
  isRoot: false,
  ...rest,
});
const titles = (given: HardeningFacts) => shortcomings(given).map((line) => line.slice(0, line.indexOf(':')));
const DATABASE = { DATABASE_URL: 'postgres://me:x@db/bursar', BURSAR_SECRET: 'x'.repeat(32) };

describe('the start', () => {
  it('says nothing to whoever tries it on a machine of his own, also as root', () => {
    expect(shortcomings(facts({}, { isRoot: true }))).toEqual([]);
    expect(shortcomings(facts(DATABASE, { login: OWNER }))).toEqual([]);
  });

  it('says nothing of what is as it should be', () => {
    const env = { BURSAR_PUBLIC_URL: 'https://pay.example.com', BURSAR_TRUSTED_PROXIES: '127.0.0.1', ...DATABASE };
    expect(shortcomings(facts(env, { liveKeys: 3 }))).toEqual([]);
  });

  it.each([
    ['TLS in front', { HOST: '0.0.0.0' }, {}],
    [
      'TLS in front',
      { HOST: '10.0.0.7', BURSAR_PUBLIC_URL: 'http://pay.example.com', BURSAR_TRUSTED_PROXIES: '::1' },
      {},
    ],
    ['Trusted proxies', { BURSAR_PUBLIC_URL: 'https://pay.example.com' }, {}],
    ['A login of its own', DATABASE, { login: OWNER, liveKeys: 1 }],
    ['A login of its own', DATABASE, { login: { ...OWN, isSuperuser: true }, liveKeys: 1 }],
    ['Private targets', { BURSAR_WEBHOOK_PRIVATE_TARGETS: 'private' }, { liveKeys: 1 }],
    ['Durability', { BURSAR_ALLOW_UNSAFE_DURABILITY: 'true' }, { liveKeys: 1 }],
    ['Request limits', { BURSAR_RATE_LIMIT: '0' }, { liveKeys: 1 }],
    ['A user of its own', {}, { liveKeys: 1, isRoot: true }],
  ] as const)('names what falls short: %s', (title, env, rest) => {
    expect(titles(facts(env, rest))).toEqual([title]);
  });

  it('checks what the guide lists', () => {
    const guide = readFileSync(new URL('../../docs/guides/operating.md', import.meta.url), 'utf8');
    for (const { title } of CHECKS) expect(guide).toContain(`| ${title} |`);
  });
});

describe('the banner', () => {
  const start = { key: 'sk_test_x', recipient: null };
  it('names the address that it listens on', () => {
    expect(banner({ host: '127.0.0.1', port: 4242, start, targets: 'loopback', program: 'bursar' })).toContain(
      'Bursar listens on http://127.0.0.1:4242\n',
    );
    expect(banner({ host: '::1', port: 1, start, targets: 'none', program: 'bursar' })).toContain(
      'BURSAR_URL=http://[::1]:1 ',
    );
  });
  it('names every address where it listens on all of them', () => {
    const text = banner({ host: '0.0.0.0', port: 80, start, targets: 'none', program: 'bursar' }, [
      '10.0.0.7',
      'fd00::7',
    ]);
    expect(text).toContain(
      'every address of this machine: http://127.0.0.1:80  http://10.0.0.7:80  http://[fd00::7]:80',
    );
    expect(text).toContain('Sandbox webhooks go to public addresses only.');
  });
  it('has one line to copy, and requests that use it; an empty sandbox is told how it is filled', () => {
    const facts = { host: '127.0.0.1', port: 4242, targets: 'none', program: 'npx bursar' } as const;
    const text = banner({ ...facts, start: { key: 'sk_test_x', recipient: 'rcp_1' } });
    expect(text).toContain('\n  export BURSAR_URL=http://127.0.0.1:4242 BURSAR_KEY=sk_test_x RECIPIENT=rcp_1\n');
    const curls = text.split('\n').filter((line) => line.startsWith('  curl '));
    expect(curls.map((line) => /\/v1\/(\w+)/.exec(line)?.[1])).toEqual([
      'accounts',
      'recipients',
      'payouts',
      'exchanges',
    ]);
    for (const line of curls)
      expect(line).toMatch(/^ {2}curl \$BURSAR_URL\/v1\/\w+ -H "Authorization: Bearer \$BURSAR_KEY"/);
    expect(text).not.toContain('seed=true');
    expect(text).not.toContain('Dashboard');
    expect(
      banner({ ...facts, start: { key: null, recipient: null }, dashboard: 'http://localhost:4242/dashboard' }),
    ).toContain('\nDashboard: http://localhost:4242/dashboard\n');
    expect(text).toContain('\nDocumentation: http://127.0.0.1:4242/docs    API description: ');
    const later = banner({ ...facts, start: { key: null, recipient: null } });
    expect(later).toContain('/v1/test_helpers/reset');
    expect(later).toContain('make another with: npx bursar keys create --sandbox'); // as the person started it
    expect(later).toContain('npx bursar listen --forward-to <url>');
  });
});
