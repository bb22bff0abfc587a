/**
 * A batch of the write path equals its commands one by one, on real PostgreSQL (T4 of the bar): what is sent at once leaves the answers,
 * rows and events that the same commands leave one after another. So does what is decided on cached state. Instants and ids differ.
 * As a pure fold: `grouped-fold.ts`. Who runs both: `test/soak/batch-equals-singles.test.ts`.
 */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PAYMENT_LINKS, PAYMENTS } from '../../../src/collecting/payments/sql.ts';
import { feeRulesFromJson } from '../../../src/core/fee-rules.ts';
import type { State } from '../../../src/core/state.ts';
import { idOf, type Prefix, uuidOf } from '../../../src/core/values/ids.ts';
import { objectFrom } from '../../../src/events/log/sql.ts';
import type { Row } from '../../../src/platform/db/wire/statement.ts';
import type { Command } from '../../../src/write/slices.ts';
import { StateCache } from '../../../src/write/state-cache.ts';
import { commandOf } from '../generators/arbitraries.ts';
import type { Known, Sums, Throw } from '../generators/random-choices.ts';
import { payoutOrder } from '../harness/literals.ts';
import { SEALING, type Sending, startWriting, type Writing } from '../harness/writer.ts';
import { auditDatabase } from './audit.ts';
import { groups, inGroups, SEED, sequences, UNKNOWN } from './grouped-fold.ts';
import { Model } from './model.ts';

/** What of a row is sealed, differently each time, or is in another form: open and as JSON. */
function opened(from: string, row: Row): string {
  const { payments, recipients } = SEALING;
  const details = (id: string) =>
    JSON.stringify(recipients.detailsOf(row['bank_details'] as string, idOf('rcp', row[id] as string)));
  switch (from) {
    case 'events t':
      return objectFrom(row, payments.json);
    case 'idempotency_records t':
      return row['body'] === null ? '' : payments.json.open(row['body'] as string);
    case 'recipients t':
      return details('id');
    case 'recipient_versions t':
      return details('recipient_id');
    case 'payment_links t':
      return payments.link.open(PAYMENT_LINKS.read(row)).url;
    case 'payments t': {
      const { token, payerIban } = payments.payment.open(PAYMENTS.read(row));
      return `${token} ${payerIban}`;
    }
    default:
      return '';
  }
}

export interface SentSize {
  /** Runs of commands that are sent at once. */
  readonly together: number;
  /** Runs with a cached state. */
  readonly cachedRuns: number;
  /** Runs with a second batch in flight. */
  readonly aheadRuns: number;
}

/** The tests. */
export function sentAtOnce({ together, cachedRuns, aheadRuns }: SentSize): void {
  describe('on PostgreSQL', () => {
    let writing: Writing;
    beforeAll(async () => {
      writing = await startWriting();
    });
    afterAll(() => writing?.stop());

    const EUR = { currency: 'EUR', metadata: undefined } as const;
    const BANK = { recipientType: 'individual', country: 'DE', email: null, bankDetails: { iban: 'x' } } as const;
    const OPENERS: readonly Command[] = [
      ...[null, 'second', 'third'].map((name): Command => ({ type: 'create_account', name, ...EUR })),
      { type: 'create_account', name: null, ...EUR, currency: 'USD' },
      { type: 'create_recipient', name: 'Ada', ...BANK, ...EUR },
    ];
    const WORDS = {
      description: null,
      reference: null,
      customerEmail: null,
      redirectUrl: null,
      message: null,
    } as const;
    const LINK = {
      type: 'create_payment_link',
      account: null,
      ...EUR,
      ...WORDS,
      expiresAtMs: null,
      hasCard: false,
    } as const;
    const ASKED = { amount: 1000n, minimum: null, maximum: null } as const;

    /** A company with a link for one payment and one for three. */
    async function founded(): Promise<{ environmentId: string; fresh: Known['fresh'] }> {
      const environmentId = await writing.environment();
      const { fresh } = new Model(uuidOf(environmentId)).known;
      const links = [null, 3].map((maxPayments): Command => {
        return { ...LINK, asked: ASKED, token: fresh(), url: 'here', reusable: maxPayments !== null, maxPayments };
      });
      for (const command of [...OPENERS, ...links]) await writing.send(environmentId, command);
      return { environmentId, fresh };
    }

    interface Round {
      readonly command: Command;
      readonly sending: Sending;
    }

    /** The ids of an environment, oldest first; how the n-th is spelled differs, which is the n-th does not. */
    async function knownOf(environmentId: string, fresh: Known['fresh']): Promise<Known> {
      const list = async (sql: string, prefix: Prefix) => {
        const rows = await writing.sql(`SELECT ${sql} ORDER BY id`, [uuidOf(environmentId)]);
        return rows.map((row) => ({ id: idOf(prefix, row['id'] as string), currency: row['currency'] as string }));
      };
      const of = 'WHERE environment_id = $1';
      const [row] = await writing.sql(`SELECT fees FROM environments ${of}`, [uuidOf(environmentId)]);
      const fees = row?.['fees'] as string | null;
      const accounts = await list(`id, currency FROM accounts ${of}`, 'acct');
      const recipients = await list(`id, currency FROM recipients ${of}`, 'rcp');
      const links = await list(`id, currency FROM payment_links ${of}`, 'plink');
      const payments = await list(`id, currency FROM payments ${of}`, 'pay');
      const sums = await writing.sql(`SELECT * FROM payments ${of}`, [uuidOf(environmentId)]);
      const sumsOf = new Map(sums.map((row) => [idOf('pay', row['id'] as string), row as Row & Sums]));
      const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
      return {
        accounts: ids(accounts),
        recipients: ids(recipients),
        payouts: ids(await list(`id FROM payouts ${of}`, 'po')),
        exchanges: ids(await list(`id FROM exchanges ${of}`, 'exc')),
        batches: [],
        quotes: ids(await list(`id FROM quotes ${of}`, 'quo')),
        fees: feeRulesFromJson(fees).map(({ id }) => id),
        links: ids(links),
        payments: ids(payments),
        currencyOf: (id) =>
          [...accounts, ...recipients, ...links, ...payments].find((each) => each.id === id)?.currency ?? 'EUR',
        sumsOf: (id) => sumsOf.get(id) ?? UNKNOWN,
        fresh,
      };
    }

    /** Every request has a key, as a request has in the service; some repeat, with the same request and with another. */
    function sendingOf({ dryRun, variant, pick, type }: Throw, own: string): Sending {
      const key = variant % 4 === 0 ? `key ${pick % 5}` : own;
      return { dryRun, key, fingerprint: `POST /v1/${type}` };
    }

    /** Everything of an environment as text, with ids by order of appearance and without instants. */
    async function remains(environmentId: string, answers: readonly unknown[]): Promise<string[]> {
      const objects = [
        'accounts',
        'recipients',
        'quotes',
        'exchanges',
        'payout_batches',
        'payouts',
        'payment_links',
        'payments',
      ];
      const tables = [...objects, 'transfers'].map((name) => `${name} t`);
      const rest = ['recipient_versions t', 'idempotency_records t', 'events t'];
      const lines = answers.map((answer) => JSON.stringify(answer));
      for (const from of [...tables, ...rest]) {
        const order =
          from === 'events t'
            ? 't.sequence'
            : from.startsWith('idem')
              ? 't.key'
              : from.startsWith('recipient_v')
                ? '2, 3'
                : 't.id';
        const rows = await writing.sql(
          `SELECT to_jsonb(t) - '{environment_id,object,shape,body,token,url,payer_iban,bank_details,bank_fingerprint}'::text[] AS row, * FROM ${from} WHERE environment_id = $1 ORDER BY ${order}`,
          [uuidOf(environmentId)],
        );
        lines.push(...rows.map((row) => `${from} ${row['row'] as string} ${opened(from, row)}`));
      }
      const names = new Map<string, string>();
      const named = (id: string) => names.get(id) ?? (names.set(id, `#${names.size}`), `#${names.size - 1}`);
      return lines.map((line) =>
        line
          .replace(/must be after now, \d+, got \d+/g, 'must be after now')
          .replace(/(\\*"(?:created|\w+_(?:at|time))\\*": ?)(?:\d+|"[^"]*")/g, '$1"an instant"')
          .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[a-z]+_[0-7][0-9a-z]{25}\b/g, named),
      );
    }

    /** The dice in rounds: what is known is looked up before each, as a client would. */
    async function play(
      rounds: readonly (readonly Throw[])[],
      send: (environmentId: string, round: readonly Round[]) => Promise<unknown[]>,
    ) {
      const { environmentId, fresh } = await founded();
      const answers: unknown[] = [];
      for (const choices of rounds) {
        const known = await knownOf(environmentId, fresh);
        const round = choices.map((each, index) => ({
          command: commandOf(each, known, Date.now()),
          sending: sendingOf(each, `own ${answers.length + index}`),
        }));
        answers.push(...(await send(environmentId, round)));
      }
      return remains(environmentId, answers);
    }

    const atOnce = (environmentId: string, round: readonly Round[]) =>
      Promise.all(round.map(({ command, sending }) => writing.send(environmentId, command, sending)));
    const oneByOne = async (environmentId: string, round: readonly Round[]) => {
      const answers = [];
      for (const { command, sending } of round) answers.push(await writing.send(environmentId, command, sending));
      return answers;
    };

    it('what is sent at once comes to the same as what is sent one after another', async () => {
      const before = writing.batches.length;
      await fc.assert(
        fc.asyncProperty(sequences, groups, async (choices, sizes) => {
          const rounds = inGroups(choices, sizes);
          expect(await play(rounds, atOnce)).toEqual(await play(rounds, oneByOne));
        }),
        { numRuns: together, seed: SEED },
      );
      const sizes = writing.batches.slice(before);
      expect(sizes.filter((size) => size > 4).length).toBeGreaterThan(together * 0.6); // they did go together
      expect(writing.faults).toEqual([]);
      expect(await auditDatabase(writing.url)).toEqual([]);
    });

    it('control: notices that the order was another', async () => {
      const property = fc.asyncProperty(sequences, groups, async (choices, sizes) => {
        const rounds = inGroups(choices, sizes);
        const backwards = async (environmentId: string, round: readonly Round[]) =>
          (await atOnce(environmentId, round.toReversed())).toReversed();
        expect(await play(rounds, backwards)).toEqual(await play(rounds, oneByOne));
      });
      expect((await fc.check(property, { numRuns: 20, seed: SEED, endOnFailure: true })).failed).toBe(true);
    });

    describe('cached state comes to the same as loaded state', () => {
      let isOff = false;
      let cached = 0;
      /** Of them, those that were decided on a batch in flight. */
      let ahead = 0;
      beforeEach(() => {
        cached = 0;
        ahead = 0;
      });
      afterEach(() => {
        isOff = false;
        vi.restoreAllMocks();
      });

      /** The state cache of every writer: none where it is off, and never suspended, since random choices repeat keys. */
      function caching(damage: (state: State, isAhead: boolean) => void = () => {}): void {
        const { get } = StateCache.prototype;
        vi.spyOn(StateCache.prototype, 'suspend').mockImplementation(() => {});
        vi.spyOn(StateCache.prototype, 'get').mockImplementation(function damaged(this: StateCache, readSet, before) {
          const found = isOff ? null : get.call(this, readSet, before);
          if (found === null) return null;
          cached += 1;
          if (before !== undefined) ahead += 1;
          for (const { state } of found.values()) damage(state, before !== undefined);
          return found;
        });
      }

      /** Sent like this with the cache, commands leave what they leave one after another without it. */
      const equal = (send: typeof atOnce) => async (choices: readonly Throw[], sizes: readonly number[]) => {
        const rounds = inGroups(choices, sizes);
        const fromCache = await play(rounds, send);
        isOff = true;
        const loaded = await play(rounds, oneByOne);
        isOff = false;
        expect(fromCache).toEqual(loaded);
      };

      const richer = ({ tables: { account } }: State) => {
        for (const [id, each] of account) account.set(id, { ...each, balance: each.balance + 1n });
      };

      it('whatever is asked for', async () => {
        caching();
        await fc.assert(fc.asyncProperty(sequences, groups, equal(oneByOne)), { numRuns: cachedRuns, seed: SEED });
        expect(cached).toBeGreaterThan(cachedRuns * 2.5);
        expect(writing.faults).toEqual([]);
        expect(await auditDatabase(writing.url)).toEqual([]);
      });

      it.each<[string, (state: State) => void]>([
        ['the balances are of before', richer],
        [
          'recipients are of another version',
          ({ tables: { recipient } }) => {
            for (const [id, each] of recipient) recipient.set(id, { ...each, version: each.version + 1 });
          },
        ],
      ])('control: notices a cache in which %s', async (_, damage) => {
        caching(damage);
        const property = fc.asyncProperty(sequences, groups, equal(oneByOne));
        expect((await fc.check(property, { numRuns: 40, seed: SEED, endOnFailure: true })).failed).toBe(true);
      });

      describe('with a second batch in flight', () => {
        const CACHEABLE =
          /^(?:(?:create|update)_(?:account|recipient)|fund_account|create_(?:transfer|payout|payout_batch))$/;
        /** Of few accounts and recipients, which are soon known. */
        const cacheable = sequences.map((choices) =>
          choices
            .filter(({ type }) => CACHEABLE.test(type))
            .map((each) => ({ ...each, pick: each.pick % 2, other: each.other % 2, dryRun: false })),
        );
        const rounds = fc.constant([25, 25]);
        let other: Writing;
        beforeAll(async () => {
          other = writing;
          writing = await startWriting({ batchCommands: 3 }); // the rest of a round waits, and goes behind
        });
        afterAll(async () => {
          await writing.stop();
          writing = other;
        });

        it('whatever is asked for', async () => {
          caching();
          await fc.assert(fc.asyncProperty(cacheable, rounds, equal(atOnce)), { numRuns: aheadRuns, seed: SEED });
          expect(ahead).toBeGreaterThan(aheadRuns * 0.15);
          expect(writing.faults).toEqual([]);
          expect(await auditDatabase(writing.url)).toEqual([]);
        });

        it('control: notices a second batch that finds other balances than the first leaves', async () => {
          caching((state, isAhead) => isAhead && richer(state));
          const property = fc.asyncProperty(cacheable, rounds, equal(atOnce));
          expect((await fc.check(property, { numRuns: 40, seed: SEED, endOnFailure: true })).failed).toBe(true);
        });
      });
    });

    /** Closes the two oldest accounts, each followed by a write that names none. */
    async function closing(send: typeof atOnce): Promise<string[]> {
      const { environmentId, fresh } = await founded();
      const { accounts, recipients } = await knownOf(environmentId, fresh);
      const [first, second, third] = accounts as [string, string, string];
      await writing.send(environmentId, { type: 'fund_account', account: third, amount: '5' });
      const order = payoutOrder({ amount: 100n, recipient: recipients[0] as string });
      const commands: Command[] = [
        { type: 'close_account', account: first },
        { type: 'create_payout', order, settlementDelayMs: null },
        { type: 'close_account', account: second },
        { type: 'create_payout', order, settlementDelayMs: null },
      ];
      return remains(
        environmentId,
        await send(
          environmentId,
          commands.map((command) => ({ command, sending: {} })),
        ),
      );
    }

    it('the oldest open account is found although older ones are closed in the same batch', async () => {
      const together = await closing(atOnce);
      expect(together).toEqual(await closing(oneByOne));
      expect(together[3]).toContain('"status":200');
    });

    it('control: notices a load that brings one candidate for the oldest account', async () => {
      const single = await closing(oneByOne);
      writing.tamper = (statement, run) =>
        run({
          ...statement,
          ...(statement.name === 'load_oldest_open_accounts' && {
            name: 'one',
            text: statement.text.replace('k.count', '1'),
          }),
        });
      const together = await closing(atOnce).finally(() => {
        writing.tamper = null;
      });
      expect(together).not.toEqual(single);
    });
  });
}
