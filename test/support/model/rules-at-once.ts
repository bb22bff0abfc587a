/**
 * A batch that changes rules and limits equals its commands one by one, on real PostgreSQL: what the first commands make must find all that
 * the later ones are judged by, although it was loaded before any of them. Who runs it: `test/soak/batch-equals-singles.test.ts`.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/core/actor.ts';
import { LIMIT_SUBJECTS, rulesFromJson } from '../../../src/core/payout-rules.ts';
import { idOf, newId, type Prefix, uuidOf } from '../../../src/core/values/ids.ts';
import { DAY_MS, isoDay } from '../../../src/core/values/time.ts';
import { LIMIT_USAGES, loadUsages, PAYOUTS } from '../../../src/paying/payouts/sql.ts';
import { loadVersionDetails } from '../../../src/paying/recipients/sql.ts';
import { loadFamilyKeys } from '../../../src/tenancy/keys/sql.ts';
import type { Outcome } from '../../../src/write/idempotency.ts';
import type { Command } from '../../../src/write/slices.ts';
import { payoutOrder } from '../harness/literals.ts';
import { type Sending, startWriting, type Tamper, type Writing } from '../harness/writer.ts';
import { auditDatabase } from './audit.ts';
import { inGroups, SEED } from './grouped-fold.ts';

const WEIGHTS = {
  create_payout: 10,
  create_payout_batch: 2,
  create_limit: 7,
  delete_limit: 3,
  approve_limit_deletion: 3,
  update_payout_rules: 4,
  approve_payout_rules: 3,
  reject_payout_rules: 1,
  approve_payout: 8,
  reject_payout: 2,
  update_payout: 5,
  cancel_payout: 3,
  step_payout: 6,
  fund_account: 3,
  fund_payout: 4,
  update_recipient: 3,
} as const;
type Type = keyof typeof WEIGHTS;

interface Choice {
  readonly type: Type;
  readonly pick: number;
  readonly other: number;
  readonly who: number;
}
const choice: fc.Arbitrary<Choice> = fc.record({
  type: fc.constantFrom(...(Object.keys(WEIGHTS) as Type[]).flatMap((type) => Array<Type>(WEIGHTS[type]).fill(type))),
  pick: fc.nat(11),
  other: fc.nat(11),
  who: fc.nat(3),
});
const sequences = fc.array(choice, { minLength: 24, maxLength: 24 });
const groups = fc.array(fc.integer({ min: 4, max: 12 }), { minLength: 6, maxLength: 6 });

/** What is there before the first limit: payouts of all lines that are pending, planned for tomorrow, without money, and held. */
const OPENING: readonly Choice[] = [
  ...[0, 1, 2, 9, 4].map((other, n): Choice => ({ type: 'create_payout', pick: n === 3 ? 4 : n, other, who: n })),
  { type: 'update_payout_rules', pick: 2, other: 1, who: 0 },
  { type: 'create_payout', pick: 3, other: 2, who: 2 },
  { type: 'update_payout_rules', pick: 1, other: 0, who: 1 },
  { type: 'approve_payout_rules', pick: 0, other: 0, who: 3 },
];

/** Two write to one account. */
const IBANS = ['DE89370400440532013000', 'DE02120300000000202051', 'DE89370400440532013000'] as const;
const settlementDelayMs = null;
const NONE = { name: undefined, email: undefined, metadata: undefined, address: undefined, latinName: undefined };

/** Who asks: the worker, a key, a key that it made, and a key of another family. */
type By = NonNullable<Sending['by']>;

interface Known {
  /** One with money, and one without. */
  readonly accounts: readonly string[];
  readonly recipients: readonly string[];
  readonly payouts: readonly string[];
  readonly limits: readonly string[];
  readonly keys: readonly string[];
}
const at = (ids: readonly string[], n: number): string => ids[n % Math.max(ids.length, 1)] ?? 'none';

function orderOf({ pick, other }: Choice, { accounts, recipients }: Known) {
  const waits = other % 5 === 4;
  return payoutOrder({
    amount: BigInt(1 + pick) * 1_000n,
    recipient: at(recipients, other),
    account: waits ? (accounts[1] ?? null) : null,
    scheduledOn: !waits && pick % 5 === 4 ? isoDay(Date.now() + DAY_MS) : null,
    ...(waits && { waiting: { until: null } }),
  });
}

function limitOf({ pick, other }: Choice, { accounts, recipients, keys }: Known): Command {
  const per = LIMIT_SUBJECTS[pick % LIMIT_SUBJECTS.length] as (typeof LIMIT_SUBJECTS)[number];
  const ofWhat = { environment: [], key: keys, account: accounts, recipient: recipients }[per];
  const of = other % 3 === 0 && per !== 'environment' ? at(ofWhat, other) : null;
  const most = { amount: BigInt(2 + other) * 2_000n, currency: 'EUR', count: pick % 6 === 5 ? 3 : null };
  return {
    type: 'create_limit',
    per,
    of,
    ...most,
    action: pick % 2 === 0 ? 'refuse' : 'hold',
    allCurrencies: pick % 5 === 4,
  };
}

function commandOf(thrown: Choice, known: Known): Command {
  const { type, pick, other } = thrown;
  const payout = at(known.payouts, known.payouts.length - 1 - (pick % Math.min(6, known.payouts.length || 1)));
  const limit = at(known.limits, other);
  switch (type) {
    case 'create_payout':
      return { type, order: orderOf(thrown, known), settlementDelayMs };
    case 'create_payout_batch': {
      const orders = [orderOf(thrown, known), orderOf({ ...thrown, other: other + 1 }, known)];
      const batch = { places: null, externalId: null, metadata: undefined, settlementDelayMs };
      return { type, mode: pick % 2 === 0 ? 'atomic' : 'partial', orders, ...batch };
    }
    case 'create_limit':
      return limitOf(thrown, known);
    case 'delete_limit':
      return { type, limit };
    case 'approve_limit_deletion':
      return { type, limit, fingerprint: null };
    case 'update_payout_rules': {
      const holdNewRecipientsHours = [undefined, 0, 1][pick % 3];
      const approvalsRequired = [undefined, 1, 2][other % 3];
      const waitingPayouts = ([undefined, 'in_order', 'may_be_passed'] as const)[(pick + other) % 3];
      const unsaid = { frozen: undefined, holdBankAccounts: undefined, routes: undefined, waitingPayouts };
      return { type, holdNewRecipientsHours, approvalsRequired, timeZone: undefined, ...unsaid };
    }
    case 'approve_payout_rules':
      return { type, fingerprint: null };
    case 'approve_payout':
      return { type, payout, fingerprint: null, settlementDelayMs };
    case 'reject_payout':
      return { type, payout, reason: null };
    case 'update_payout':
      return { type, payout, scheduledOn: null, reference: undefined, metadata: undefined, settlementDelayMs };
    case 'step_payout': {
      const to = (['in_transit', 'in_transit', 'failed', 'next'] as const)[other % 4] ?? 'next';
      return { type, payout, to, failureCode: null, nextDelayMs: null };
    }
    case 'fund_account':
      return { type, account: at(known.accounts, pick), amount: '200' };
    case 'fund_payout':
      return { type, payout, settlementDelayMs };
    case 'update_recipient': {
      const bankDetails = { iban: IBANS[pick % IBANS.length] as string };
      return { type, recipient: at(known.recipients, other), ...NONE, bankDetails };
    }
    case 'cancel_payout':
      return { type, payout };
    case 'reject_payout_rules':
      return { type };
  }
}

/** The tests, with so many runs. */
export function rulesAtOnce(runs: number): void {
  describe('rules and limits, on PostgreSQL', () => {
    let writing: Writing;
    beforeAll(async () => {
      writing = await startWriting();
    });
    afterAll(() => writing?.stop());

    interface World {
      readonly environmentId: string;
      readonly asking: readonly By[];
      readonly keys: readonly string[];
    }

    async function founded(): Promise<World> {
      const environmentId = await writing.environment();
      const [one, child, other] = [newId('key'), newId('key'), newId('key')] as Actor[] as [Actor, Actor, Actor];
      const lineages = [[one], [one, child], [other]];
      for (const lineage of lineages) {
        const key = lineage.at(-1) as Actor;
        await writing.sql(
          `INSERT INTO api_keys (hash, id, environment_id, name, prefix, last4, lineage) VALUES ($1, $2, $3, 'x', 'sk_test_', 'abcd', $4)`,
          [Buffer.from(key), uuidOf(key), uuidOf(environmentId), lineage],
        );
      }
      const euros = { currency: 'EUR', metadata: undefined } as const;
      const person = { recipientType: 'individual', country: 'DE', email: null, ...euros } as const;
      for (const name of [null, 'empty']) await writing.send(environmentId, { type: 'create_account', name, ...euros });
      for (const iban of IBANS) {
        await writing.send(environmentId, { type: 'create_recipient', name: 'Ada', ...person, bankDetails: { iban } });
      }
      const { accounts } = await knownOf({ environmentId, asking: [], keys: [] });
      await writing.send(environmentId, { type: 'fund_account', account: at(accounts, 0), amount: '900' });
      const asking = lineages.map((lineage): By => ({ actor: lineage.at(-1) as Actor, lineage }));
      return { environmentId, asking: [{ actor: 'worker' }, ...asking], keys: [one, child, other] };
    }

    const rulesIn = async (environmentId: string) => {
      const sql = 'SELECT payout_rules FROM environments WHERE environment_id = $1';
      const [row] = await writing.sql(sql, [uuidOf(environmentId)]);
      return rulesFromJson((row?.['payout_rules'] as string | null) ?? '{"limits":[]}');
    };

    async function knownOf({ environmentId, keys }: World): Promise<Known> {
      const list = async (table: string, prefix: Prefix) => {
        const sql = `SELECT id FROM ${table} WHERE environment_id = $1 ORDER BY id`;
        return (await writing.sql(sql, [uuidOf(environmentId)])).map(({ id }) => idOf(prefix, id as string));
      };
      const { limits } = await rulesIn(environmentId);
      return {
        accounts: await list('accounts', 'acct'),
        recipients: await list('recipients', 'rcp'),
        payouts: await list('payouts', 'po'),
        limits: limits.map(({ id }) => id),
        keys,
      };
    }

    /** What came of it: answers, rules, payouts and what is used, with ids by order of appearance and without instants. */
    async function remains({ environmentId, keys }: World, answers: readonly Outcome[]): Promise<string[]> {
      const lines = answers.map(({ status, body }) => `${status} ${/"code":"\w+"/.exec(body)?.[0] ?? ''}`);
      const rowsOf = (table: string, order: string) =>
        writing.sql(`SELECT * FROM ${table} t WHERE environment_id = $1 ORDER BY ${order}`, [uuidOf(environmentId)]);
      const { limits, pending } = await rulesIn(environmentId);
      const usages = (await rowsOf('limit_usages', 'id')).map((row) => LIMIT_USAGES.read(row));
      const objects = [
        ...(await rowsOf('payouts', 'id')).map((row) => PAYOUTS.read(row)),
        ...limits,
        pending,
        ...usages.filter(({ limit }) => limits.some(({ id }) => id === limit)), // of one that is gone, nothing counts
      ];
      const plain = (name: string, part: unknown) => {
        if (/(?:At|^at)$/.test(name)) return part === null ? null : 'an instant';
        return typeof part === 'bigint' ? String(part) : part;
      };
      const names = new Map<string, string>(keys.map((key, n) => [key, `key ${n}`]));
      const named = (id: string) => names.get(id) ?? (names.set(id, `#${names.size}`), `#${names.size - 1}`);
      const texts = [...lines, ...objects.map((object) => JSON.stringify(object, plain))];
      // Ids, the environment's own and keyed hashes of accounts among them.
      return texts.map((text) => text.replace(/\b[a-z]+_[0-7][0-9a-z]{25}\b|"[\w+/-]{32,}=*"/g, named));
    }

    type Send = (world: World, round: readonly Choice[]) => Promise<Outcome[]>;
    const sending = async (world: World, round: readonly Choice[]) => {
      const known = await knownOf(world);
      return round.map((thrown) => () => {
        const by = world.asking[thrown.who % world.asking.length] as By;
        return writing.send(world.environmentId, commandOf(thrown, known), { by });
      });
    };
    const atOnce: Send = async (world, round) => Promise.all((await sending(world, round)).map((send) => send()));
    const oneByOne: Send = async (world, round) => {
      const answers = [];
      for (const send of await sending(world, round)) answers.push(await send());
      return answers;
    };
    async function play(rounds: readonly (readonly Choice[])[], send: Send): Promise<string[]> {
      const world = await founded();
      const answers: Outcome[] = [];
      for (const thrown of OPENING) answers.push(...(await oneByOne(world, [thrown])));
      for (const round of rounds) answers.push(...(await send(world, round)));
      return remains(world, answers);
    }

    /** What must have happened, or the runs prove nothing. */
    const SEEN = {
      refused: /limit_exceeded/,
      approved: /"status":"approved"/,
      counted: /"usedAmount":"[1-9]/,
      ofOneFamily: /approval_by_creator/,
    };
    const tally: Record<string, number> = {};
    /** `tamper`: with what is sent at once. */
    const equal = (tamper: Tamper | null) =>
      fc.asyncProperty(sequences, groups, async (choices, sizes) => {
        const rounds = inGroups(choices, sizes);
        writing.tamper = tamper;
        const together = await play(rounds, atOnce).finally(() => {
          writing.tamper = null;
        });
        expect(together).toEqual(await play(rounds, oneByOne));
        for (const [what, seen] of Object.entries(SEEN)) {
          tally[what] = (tally[what] ?? 0) + together.filter((line) => seen.test(line)).length;
        }
      });

    it('what is sent at once comes to the same as what is sent one after another', async () => {
      await fc.assert(equal(null), { numRuns: runs, seed: SEED, endOnFailure: true });
      for (const what of Object.keys(SEEN)) expect(tally[what], what).toBeGreaterThan(0);
      expect(writing.faults).toEqual([]);
      expect(await auditDatabase(writing.url)).toEqual([]);
    });

    it.each([
      ['the accounts of payees', loadVersionDetails([]).name],
      ['the keys of whoever asked', loadFamilyKeys([]).name],
      ['what was used', loadUsages([]).name],
    ])('control: notices a load without %s', async (_, name) => {
      const without: Tamper = async (statement, run) => {
        const answer = await run(statement);
        return statement.name === name ? { ...answer, rows: [] } : answer;
      };
      const { failed } = await fc.check(equal(without), { numRuns: 40, seed: SEED, endOnFailure: true });
      expect(failed).toBe(true);
    });
  });
}
