import { describe, expect, it } from 'vitest';
import { csvColumns, csvRow } from './csv.ts';
import { withNames } from './csv-names.ts';
import type { Expansion, Expansions } from './expand.ts';
import type { Caller } from './route.ts';

const NAMES: Readonly<Record<string, string>> = { acct_1: '"Main"', acct_2: 'null', ba_1: '"Sparkasse, \\"1\\""' };
/** Kinds of which every object exists that `NAMES` has, and what they were asked for. */
function kinds(): { readonly expansions: Expansions; readonly asked: (readonly string[])[] } {
  const asked: (readonly string[])[] = [];
  const of = (scope: Expansion['scope']): Expansion => ({
    scope,
    async find(_, ids) {
      asked.push(ids);
      const found = ids.filter((id) => id in NAMES);
      return new Map(found.map((id) => [id, `{"id":"${id}","metadata":{"name":"no"},"name":${NAMES[id]}}`]));
    },
  });
  return { expansions: { acct: of('accounts:read'), ba: of('bank_accounts:read') }, asked };
}
const withScopes = (scopes: readonly string[] | null) => ({ scopes: scopes && new Set(scopes) }) as unknown as Caller;
const ROWS = [
  '{"id":"x_1","account":"acct_1","bank_account":"ba_1"}',
  '{"id":"x_2","account":"acct_1","bank_account":null}',
  '{"id":"x_3","account":"acct_2","bank_account":"ba_9"}',
];
const named = ['account', 'bank_account'];
const csv = (rows: readonly string[]) =>
  rows.map((row) => csvRow(row, csvColumns(['id', 'account', 'bank_account'], named)).trim());

describe('names beside ids', () => {
  it('are asked for once a kind and id, and empty where there is none', async () => {
    const { expansions, asked } = kinds();
    expect(csv(await withNames(expansions, withScopes(null), ROWS, named))).toEqual([
      'x_1,acct_1,Main,ba_1,"Sparkasse, ""1"""',
      'x_2,acct_1,Main,,',
      'x_3,acct_2,,ba_9,',
    ]);
    expect(asked).toEqual([
      ['acct_1', 'acct_2'],
      ['ba_1', 'ba_9'],
    ]);
  });

  it('are not asked for without the scope, nor where no member has any', async () => {
    const { expansions, asked } = kinds();
    const rows = csv(await withNames(expansions, withScopes(['bank_accounts:read']), ROWS, named));
    expect(rows[0]).toBe('x_1,acct_1,,ba_1,"Sparkasse, ""1"""');
    expect(await withNames(expansions, withScopes(null), ROWS, [])).toEqual(ROWS);
    expect(asked).toEqual([['ba_1', 'ba_9']]);
  });
});
