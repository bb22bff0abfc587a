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

const reads = ROUTES.filter(({ method }) => method === 'GET').map(({ path, scope, alsoNeeds }) => ({
  path,
  scope,
  alsoNeeds,
}));

async function codeOf(holder: Holder | undefined, path: string): Promise<string | undefined> {
  const url = path.replace(/:[a-z_]+/g, newId('po'));
  const { text } = await application.inject({
    method: 'GET',
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

  it('there are reads of every resource, but of those that only approve', () => {
    const read = new Set(reads.map(({ scope }) => scope.split(':')[0]));
    expect(RESOURCES.filter((resource) => !read.has(resource))).toEqual(['bank_account_approvals']);
  });
});

it('the rights on the bank are apart: each operation on it is of one of them', () => {
  const rights = ['bank_accounts', 'bank_account_approvals', 'statement_files', 'bank_entries', 'payment_files'];
  const operations = (resource: string) =>
    ROUTES.filter(({ scope }) => scope.startsWith(`${resource}:`)).map(({ operationId }) => operationId);
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
      'importBankDocument',
      'listBankDocuments',
      'retrieveBankDocument',
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
      'listUnmatchedEntries',
      'assignBankEntries',
      'returnBankEntry',
      'resolvePayout',
    ],
    payment_files: ['createBankExport', 'listBankFiles', 'retrieveBankFile', 'downloadBankFile', 'abandonBankFile'],
    reconciliation: ['retrieveReconciliation', 'signReconciliation'],
  });
});
