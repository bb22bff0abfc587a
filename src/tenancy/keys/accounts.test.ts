/** A key that is restricted to accounts sees and uses nothing of another account, whatever it asks for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import { RESOURCES } from '../../platform/http/route.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';

let application: Application;
let restricted: Holder;
/** Ids of what there is: of the key's account, and of the other one. */
const own: Record<string, string> = {};
const other: Record<string, string> = {};
let recipient = '';

beforeAll(async () => {
  application = await startApplication();
  const { client } = application.sandbox;
  recipient = (
    await client.post('/v1/recipients', {
      name: 'Ada Lovelace',
      type: 'individual',
      currency: 'EUR',
      country: 'DE',
      iban: 'DE89370400440532013000',
    })
  ).json['id'] as string;
  for (const side of [own, other]) {
    const account = (await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
    await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1000 });
    const order = { amount: 5, currency: 'EUR', recipient, account };
    side['account'] = account;
    side['payout'] = (await client.post('/v1/payouts', order)).json['id'] as string;
    side['batch'] = (await client.post('/v1/payouts/batch', { payouts: [order] })).json['id'] as string;
  }
  const order = { from: own['account'], to: other['account'], amount: 1 };
  own['transfer'] = (await client.post('/v1/transfers', order)).json['id'] as string;
  const [theirs] = (await client.get(`/v1/accounts/${other['account']}/transfers?cause=payout`)).json['data'] as {
    id: string;
  }[];
  other['transfer'] = theirs?.id as string;
  restricted = await application.key({
    scopes: ['accounts:write', 'transfers:write', 'payouts:write', 'recipients:write'],
    accounts: [own['account'] as string],
  });
});
afterAll(() => application?.stop());

const reads = (side: Record<string, string>) => [
  `/v1/accounts/${side['account']}`,
  `/v1/accounts/${side['account']}/transfers`,
  `/v1/payouts/${side['payout']}`,
  `/v1/payout_batches/${side['batch']}`,
  `/v1/transfers/${side['transfer']}`,
];
const text = async (path: string, { client }: Holder) => (await client.get(path)).text;

describe('reads', () => {
  it('what is its own, and nothing else; control: a key without restriction reads both', async () => {
    for (const path of [...reads(own), ...reads(other)])
      expect([path, outcome(await application.sandbox.client.get(path))]).toEqual([path, '200']);
    for (const path of reads(own)) expect([path, outcome(await restricted.client.get(path))]).toEqual([path, '200']);
    for (const path of reads(other)) {
      expect([path, outcome(await restricted.client.get(path))]).toEqual([path, '404 resource_missing id']);
    }
  });

  it.each(['/v1/accounts', '/v1/payouts', '/v1/payout_batches', '/v1/transfers'])(
    '%s lists its own, also right after another key asked',
    async (path) => {
      const everything = await text(path, application.sandbox);
      for (let i = 0; i < 3; i++) {
        const seen = await text(path, restricted);
        const ids = (JSON.parse(seen) as { data: { id: string }[] }).data.map(({ id }) => id);
        expect(ids.length).toBeGreaterThan(0);
        expect(ids.length).toBeLessThan((JSON.parse(everything) as { data: unknown[] }).data.length);
        for (const id of [other['payout'], other['batch'], other['transfer']]) expect(ids).not.toContain(id);
        if (path !== '/v1/transfers') expect(seen).not.toContain(other['account']); // a transfer between both names both
        expect(await text(path, application.sandbox)).toBe(everything);
      }
    },
  );

  it('nothing that shows more than accounts', async () => {
    for (const path of [
      '/v1/events',
      '/v1/webhook_endpoints',
      '/v1/exchanges',
      '/v1/settings',
      '/v1/keys',
      '/v1/payments',
    ]) {
      expect([path, outcome(await restricted.client.get(path))]).toEqual([path, '403 scope_missing']);
    }
  });
});

/** Where every object is of an account, or of none. */
const OF_ACCOUNTS = ['accounts', 'transfers', 'payouts', 'recipients'];
/** What needs no scope shows nothing of accounts. */
const isOfAccounts = (scope: string | null) => scope === null || OF_ACCOUNTS.includes(scope.split(':')[0] as string);

describe('every operation', () => {
  const outside = ROUTES.filter(
    ({ scope, alsoNeeds }) => !isOfAccounts(scope) || (alsoNeeds && !isOfAccounts(alsoNeeds)),
  );
  const ask = async ({ method, path }: (typeof ROUTES)[number], ids: (name: string) => string) => {
    const url = path.replaceAll(/:[a-z_]+/g, ids);
    const body = method === 'GET' ? '' : '{}';
    return restricted.client.send(method, url, body, { 'content-type': 'application/json' });
  };

  it.each(outside.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is closed',
    async (_, route) => {
      expect(outcome(await ask(route, () => other['payout'] as string))).toBe('403 scope_missing');
    },
  );

  const idsOf: Readonly<Record<string, string>> = { accounts: 'account', transfers: 'transfer', payouts: 'payout' };
  const withId = ROUTES.filter(
    (route) =>
      !outside.includes(route) && /^\/v1\/(?:accounts|transfers|payouts|payout_batches)\/.*:id/.test(route.path),
  );
  const kindIn = ({ path }: (typeof ROUTES)[number]): string =>
    path.startsWith('/v1/payout_batches/') ? 'batch' : (idsOf[path.split('/')[2] as string] as string);
  it.each(withId.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s opens nothing of another account',
    async (_, route) => {
      const answer = outcome(await ask(route, () => other[kindIn(route)] as string));
      expect(answer).toMatch(/^(?:404 resource_missing|403 account_not_allowed)/);
    },
  );

  it('control: the reads of these open what is of its own account', async () => {
    const reading = withId.filter(({ method }) => method === 'GET');
    const answers: string[] = [];
    for (const route of reading) {
      const { status } = await ask(route, () => own[kindIn(route)] as string);
      answers.push(`${status} ${route.path}`);
    }
    expect(answers.length).toBeGreaterThan(5);
    const closed = answers.filter((answer) => !answer.startsWith('200'));
    expect(closed).toEqual([]);
  });

  it('a key that is restricted to accounts gets no scope of them', async () => {
    const accounts = [own['account']];
    const make = async (scopes: readonly string[]) =>
      outcome(await application.sandbox.client.post('/v1/keys', { name: 'x', scopes, accounts }));
    for (const resource of RESOURCES) {
      const expected = isOfAccounts(resource) ? '200' : '400 parameter_invalid scopes';
      expect([resource, await make([`${resource}:read`])]).toEqual([resource, expected]);
      expect([resource, await make(['accounts:read', `${resource}:write`])]).toEqual([resource, expected]);
    }
    expect(RESOURCES).toEqual(expect.arrayContaining(['bank_account_approvals', 'reconciliation', 'payment_files']));
  });
});

describe('recipients', () => {
  it('that it made may change; of others it pays, and changes nothing', async () => {
    const { client } = restricted;
    const iban = { iban: 'DE02120300000000202051' };
    const mine = (
      await client.post('/v1/recipients', { name: 'Bea', type: 'individual', currency: 'EUR', country: 'DE', ...iban })
    ).json;
    expect(mine['created_by']).toBe(restricted.id);
    const before = await text(`/v1/recipients/${recipient}`, application.sandbox);
    for (const [what, path, body] of [
      ['POST', '', iban],
      ['POST', '', { metadata: { a: 'b' } }],
      ['POST', '/redact', {}],
      ['DELETE', '', {}],
    ] as const)
      expect([what, path, outcome(await client.write(what, `/v1/recipients/${recipient}${path}`, body))]).toEqual([
        what,
        path,
        '403 recipient_not_allowed',
      ]);
    expect(await text(`/v1/recipients/${recipient}`, application.sandbox)).toBe(before);
    const order = { amount: 5, currency: 'EUR', recipient, account: own['account'] };
    expect(outcome(await client.post('/v1/payouts', order))).toBe('200');
    const path = `/v1/recipients/${mine['id'] as string}`;
    expect(outcome(await client.post(path, { iban: 'DE89370400440532013000' }))).toBe('200');
    expect(outcome(await client.write('DELETE', path, {}))).toBe('200');
    expect(outcome(await application.sandbox.client.post(`/v1/recipients/${recipient}`, { name: 'Ada' }))).toBe('200'); // control
  });
});

describe('writes', () => {
  const balances = () => application.sql('SELECT id, balance FROM accounts ORDER BY id');
  const order = (account?: string) => ({ amount: 5, currency: 'EUR', recipient, ...(account && { account }) });

  it('of its own account go through', async () => {
    const { client } = restricted;
    expect(outcome(await client.post('/v1/payouts', order(own['account'])))).toBe('200');
    expect(
      outcome(await client.post('/v1/payouts/batch', { payouts: [order(own['account']), order(own['account'])] })),
    ).toBe('200');
    expect(outcome(await client.post(`/v1/payouts/${own['payout']}/cancel`, {}))).toBe('200');
    expect(outcome(await client.post(`/v1/accounts/${own['account']}`, { name: 'Own' }))).toBe('200');
  });

  it('of another change nothing, and say nothing of it', async () => {
    const before = await balances();
    const { client } = restricted;
    const theirs = other['account'] as string;
    const huge = { ...order(theirs), amount: 999_999 }; // would be told what the account holds
    for (const [path, body, expected] of [
      ['/v1/payouts', order(theirs), '403 account_not_allowed account'],
      ['/v1/payouts', huge, '403 account_not_allowed account'],
      ['/v1/payouts', { ...huge, dry_run: true }, '403 account_not_allowed account'],
      ['/v1/payouts', order(), '403 account_not_allowed account'],
      ['/v1/payouts/batch', { payouts: [order(own['account']), order(theirs)] }, '403 account_not_allowed account'],
      [
        '/v1/payouts/batch',
        { payouts: [order(own['account']), order(theirs)], mode: 'partial' },
        '403 account_not_allowed account',
      ],
      ['/v1/transfers', { from: own['account'], to: theirs, amount: 1 }, '403 account_not_allowed account'],
      ['/v1/transfers', { from: theirs, to: own['account'], amount: 1 }, '403 account_not_allowed account'],
      [`/v1/payouts/${other['payout']}/cancel`, {}, '404 resource_missing'],
      [`/v1/payout_batches/${other['batch']}/cancel`, {}, '404 resource_missing'],
      [`/v1/payouts/${other['payout']}`, { metadata: { a: 'b' } }, '404 resource_missing'],
      [`/v1/accounts/${theirs}`, { name: 'Mine' }, '403 account_not_allowed account'],
      [`/v1/accounts/${theirs}/close`, {}, '403 account_not_allowed account'],
      ['/v1/accounts', { currency: 'EUR' }, '403 account_not_allowed account'],
    ] as const) {
      const reply = await client.post(path, body);
      expect([path, body, outcome(reply)]).toEqual([path, body, expected]);
      expect(reply.text).not.toContain('available_minor');
    }
    expect(await balances()).toEqual(before);
    expect(outcome(await application.sandbox.client.post('/v1/payouts', order(theirs)))).toBe('200'); // control
  });
});
