/**
 * A kind of object that is stored is in every table: in those of the path by type (`slices.ts`, `core/state.ts`), in the others here. Whole
 * columns of sealed texts: `operator/reseal.test.ts`; tables of a backup come from the catalogue (`platform/backup/tables.ts`).
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ReadSet } from '../core/read-set.ts';
import type { StoredKind } from '../core/objects.ts';
import type { Pipeline } from '../platform/db/wire/pipeline.ts';
import { atRest } from './at-rest.ts';
import { load } from './load.ts';
import { type Complete, TABLES } from './slices.ts';

// @ts-expect-error control: the compiler names the kind that is left out
export type Incomplete = Complete<Exclude<'account' | 'note', 'account'>, object>;

describe('what a read set names is read', () => {
  const ENVIRONMENT = 'env_01jd3v9q4ne8v8k3w2m6r5t7xa';
  const ANY = {
    environmentId: ENVIRONMENT,
    id: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
    bankAccount: 'ba_01jd3v9q4ne8v8k3w2m6r5t7xa',
    currency: 'EUR',
    externalId: 'x',
    key: 'x',
    session: 'x',
    sha256: 'x',
    identity: 'x',
    series: 'x',
    startsOn: null,
    closedOn: null,
    reference: 'RF18539007547034',
  };
  /** Who asks and where, which are no objects; how many accounts are closed, which is a count; families are found by what was loaded. */
  const NOT_READ = ['environmentId', 'environments', 'actors', 'closes', 'familiesOf'];

  /** The names of the statements. There are no rows, so none depends on another. */
  async function statementsFor(fill: (set: Record<string, unknown>) => void): Promise<readonly string[]> {
    const names: string[] = [];
    const run: Pipeline['run'] = async (statement) => {
      names.push(statement.name ?? statement.text);
      return { rows: [], rowCount: 0 };
    };
    const set = new ReadSet();
    fill(set as unknown as Record<string, unknown>);
    const sealing = atRest({ current: 'a secret of a test, long enough: 012345', previous: [] });
    await load({ run, sync: () => undefined } as unknown as Pipeline, sealing, set).catch(() => undefined);
    return names;
  }
  const fields = Object.keys(new ReadSet()).filter((name) => !NOT_READ.includes(name));

  it('knows every field', () => expect(fields.length).toBeGreaterThan(25));
  it.each(fields)('%s', async (name) => {
    const none = await statementsFor(() => undefined);
    const some = await statementsFor((set) => {
      const field = set[name];
      if (Array.isArray(field)) field.push(ANY);
      else if (field instanceof Map) field.set('x', ANY);
      else (field as Set<string>).add(ENVIRONMENT);
    });
    expect(some.length).toBeGreaterThan(none.length);
  });
  it('control: a field that nobody knows is read by no statement', async () => {
    const none = await statementsFor(() => undefined);
    expect(await statementsFor((set) => (set['notes'] = [ANY]))).toEqual(none);
  });
});

describe('what is stored about persons is known', () => {
  const PERSONAL =
    /\bt\.(?:recipient_id|email|customer_email|payer_name|payer_iban|holder|iban|explanation|bank_details)\b/;
  /** `exported`: `bursar export person` finds it. Else why it does not. */
  const OF_PERSONS: { readonly [K in StoredKind]?: string } = {
    recipient: 'exported',
    payout: 'exported',
    standing_order: 'exported',
    payment_link: 'exported',
    payment: 'exported',
    expected_payment: 'the name of a payer as a note of the operator, without a number by which a person is sought',
    bank_account: 'an account of the operator',
    bank_entry: 'what a bank reported, sealed and without an index; kept as long as the books',
    bank_rule: 'a rule of the operator, which names accounts of others',
  };
  const left = (known: { readonly [K in StoredKind]?: string }) =>
    (Object.keys(TABLES) as StoredKind[]).filter((kind) => PERSONAL.test(TABLES[kind].columns('t')) !== kind in known);

  it('every kind with such a column is on the list, and no other', () => expect(left(OF_PERSONS)).toEqual([]));
  it('control: flags one that is not, and one too many', () => {
    const { payout: _, ...others } = OF_PERSONS;
    expect(left(others)).toEqual(['payout']);
    expect(left({ ...OF_PERSONS, webhook_endpoint: 'exported' })).toEqual(['webhook_endpoint']);
  });
  it('the export reads those that it exports', () => {
    const source = readFileSync(new URL('../operator/person.ts', import.meta.url), 'utf8');
    const exported = (Object.keys(OF_PERSONS) as StoredKind[]).filter((kind) => OF_PERSONS[kind] === 'exported');
    const reads = (name: string) =>
      source.includes(`FROM ${name} t`) || source.includes(`objectsIn(run, ${name.toUpperCase()}, `);
    expect(exported.filter((kind) => !reads(TABLES[kind].name))).toEqual([]);
  });
});
