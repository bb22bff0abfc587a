/** A write scope includes the read scope of its resource and of no other: every read of the service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import { newId } from '../../core/values/ids.ts';
import { RESOURCES, type Scope } from './route.ts';

let application: Application;
const writers = new Map<string, Holder>();
const strangers = new Map<string, Holder>();
const writesOf = (resources: readonly string[]) => resources.map((resource) => `${resource}:write` as Scope);

beforeAll(async () => {
  application = await startApplication();
  for (const resource of RESOURCES) {
    writers.set(resource, await application.key({ scopes: writesOf([resource]) }));
    const others = RESOURCES.filter((other) => other !== resource);
    strangers.set(resource, await application.key({ scopes: writesOf(others) }));
  }
}, 60_000);
afterAll(() => application?.stop());

/** Those that need a scope. */
const SCOPED = ROUTES.flatMap(({ scope, ...route }) => (scope === null ? [] : [{ ...route, scope }]));
const reads = SCOPED.filter(({ method }) => method === 'GET').map(({ path, scope, alsoNeeds }) => ({
  path,
  scope,
  alsoNeeds,
}));

async function codeOf(
  holder: Holder | undefined,
  path: string,
  method: 'GET' | 'POST' | 'DELETE' = 'GET',
): Promise<string | undefined> {
  const url = path.replace(/:[a-z_]+/g, newId('po'));
  const { text } = await application.inject({
    method,
    url,
    headers: { authorization: `Bearer ${holder?.key}` },
  });
  return text.startsWith('{') ? (JSON.parse(text) as { error?: { code: string } }).error?.code : undefined;
}

describe('every read', () => {
  it.each(reads)('$path', async ({ path, scope, alsoNeeds }) => {
    const [resource] = scope.split(':') as [string];
    const also = alsoNeeds === undefined ? [] : [alsoNeeds.split(':')[0] as string];
    const writer =
      also.length === 0 ? writers.get(resource) : await application.key({ scopes: writesOf([resource, ...also]) });
    expect(['scope_missing', 'api_key_invalid']).not.toContain(await codeOf(writer, path));
    expect(await codeOf(strangers.get(resource), path)).toBe('scope_missing');
  });

  it('there are reads of every resource, but of those that only approve, or only look', () => {
    const read = new Set(reads.map(({ scope }) => scope.split(':')[0]));
    expect(RESOURCES.filter((resource) => !read.has(resource))).toEqual(['bank_account_approvals', 'search']);
  });
});

describe('every operation', () => {
  const needs = SCOPED.flatMap(({ method, path, scope, alsoNeeds }) =>
    [scope, ...(alsoNeeds === undefined ? [] : [alsoNeeds])].map((needed) => ({ method, path, needed })),
  );

  it.each(needs)(
    '$method $path is refused without $needed, whatever else the key may do',
    async ({ method, path, needed }) => {
      const [resource] = needed.split(':') as [string];
      expect(await codeOf(strangers.get(resource), path, method)).toBe('scope_missing');
    },
  );
  it('one needs none, and every key may ask it', async () => {
    const open = ROUTES.filter(({ scope }) => scope === null);
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/me']);
    for (const key of [...writers.values(), ...strangers.values()]) expect(await codeOf(key, '/v1/me')).toBe(undefined);
  });
  it('some need two', () => expect(needs.length).toBeGreaterThan(ROUTES.length + 3));

  it.each(['payout_approvals', 'bank_account_approvals'] as const)(
    'that approves is of %s alone, or of it too',
    (resource) => {
      const scope: Scope = `${resource}:write`;
      const needed = ROUTES.filter((route) => route.scope === scope || route.alsoNeeds === scope);
      expect(needed.map(({ path }) => path)).toEqual(APPROVALS[resource]);
    },
  );
});

const APPROVALS = {
  payout_approvals: [
    '/v1/settings/payouts/approve',
    '/v1/settings/payouts/reject',
    '/v1/limits/:id/approve',
    '/v1/limits/:id/reject',
    '/v1/payouts/:id/approve',
    '/v1/payouts/approve',
    '/v1/payouts/:id/reject',
    '/v1/payout_batches/:id/approve',
    '/v1/payout_batches/:id/reject',
    '/v1/payment_files/:id/abandon',
    '/v1/bank_entries/:id/approve',
    '/v1/payouts/:id/resolve',
    '/v1/keys/:id/confirm',
    '/v1/users/:id/confirm',
  ],
  bank_account_approvals: ['/v1/bank_accounts/:id/approve', '/v1/bank_accounts/:id/reject'],
};

it('the rights on the bank are apart: each operation on it is of one of them', () => {
  const rights = ['bank_accounts', 'bank_account_approvals', 'statement_files', 'bank_entries', 'payment_files'];
  const operations = (resource: string) =>
    SCOPED.filter(({ scope }) => scope.startsWith(`${resource}:`)).map(({ operationId }) => operationId);
  const found = [...rights, 'reconciliation'].map((resource) => [resource, operations(resource)]);
  expect(Object.fromEntries(found)).toEqual({
    bank_accounts: [
      'createBankAccount',
      'listBankAccounts',
      'retrieveBankAccount',
      'updateBankAccount',
      'closeBankAccount',
      'resumeExports',
      'retrieveDepositInstructions',
    ],
    bank_account_approvals: ['approveBankAccount', 'rejectBankAccount'],
    statement_files: [
      'listWaitingEntries',
      'reviewBankStatement',
      'importStatementFile',
      'listStatementFiles',
      'retrieveStatementFile',
      'listBankStatements',
      'retrieveBankStatement',
    ],
    bank_entries: [
      'createBankRule',
      'listBankRules',
      'retrieveBankRule',
      'deleteBankRule',
      'listBankEntries',
      'retrieveBankEntry',
      'assignBankEntry',
      'unassignBankEntry',
      'assignBankEntryBatch',
      'returnBankEntry',
      'voidBankEntry',
      'unvoidBankEntry',
      'approveBankEntry',
      'rejectBankEntry',
      'resolvePayout',
    ],
    payment_files: [
      'createPaymentFiles',
      'listPaymentFiles',
      'retrievePaymentFile',
      'downloadPaymentFile',
      'abandonPaymentFile',
    ],
    reconciliation: ['retrieveReconciliation', 'signReconciliation'],
  });
});
