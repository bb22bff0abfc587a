/**
 * Both writers on real PostgreSQL: what shares a commit, what a key promises, and what happens when a statement fails.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RequestError } from '../core/values/errors.ts';
import { uuidOf } from '../core/values/ids.ts';
import { auditDatabase } from '../../test/support/model/audit.ts';
import {
  startWriting,
  statementsOf,
  WRITERS,
  type WriterKind,
  type Writing,
} from '../../test/support/harness/writer.ts';
import type { Command } from './slices.ts';

describe.each(Object.keys(WRITERS) as WriterKind[])('the %s writer', (kind) => {
  let writing: Writing;
  let environmentId: string;
  let account: string;
  beforeAll(async () => {
    writing = await startWriting({ queueCommands: 20 }, kind);
    environmentId = await writing.environment();
    const { body } = await writing.send(environmentId, create(null));
    account = (JSON.parse(body) as { id: string }).id;
    await writing.send(environmentId, fund('1000'));
  });
  afterAll(() => writing?.stop());
  afterEach(async () => {
    writing.tamper = null;
    writing.onCommitted = null;
    writing.faults.length = 0;
    expect(await auditDatabase(writing.url)).toEqual([]);
  });

  const create = (name: string | null): Command => ({
    type: 'create_account',
    currency: 'EUR',
    name,
    metadata: undefined,
  });
  const fund = (amount: string): Command => ({ type: 'fund_account', account, amount });
  const count = async (table: string) => {
    const [row] = await writing.sql(`SELECT count(*)::int AS n FROM ${table} WHERE environment_id = $1`, [
      uuidOf(environmentId),
    ]);
    return row?.['n'] as number;
  };
  const code = (body: string) => (JSON.parse(body) as { error?: { code: string } }).error?.code;

  describe('a batch', () => {
    it('is what arrived together: one lock, one COMMIT', async () => {
      const before = writing.batches.length;
      const names = await statementsOf(writing, () =>
        Promise.all(Array.from({ length: 15 }, () => writing.send(environmentId, fund('1')))),
      );
      expect(writing.batches.slice(before)).toEqual([15]);
      expect(names.filter((name) => name === 'lock_environments' || name === 'COMMIT')).toEqual([
        'lock_environments',
        'COMMIT',
      ]);
    });

    it('has one instant, later than that of the batch before', async () => {
      const instants = async () => {
        const rows = await writing.sql(
          'SELECT DISTINCT created_at AS at FROM transfers WHERE environment_id = $1 ORDER BY 1',
          [uuidOf(environmentId)],
        );
        return rows.map((row) => row['at'] as number);
      };
      const before = await instants();
      for (let i = 0; i < 5; i++) await Promise.all([1, 2, 3].map(() => writing.send(environmentId, fund('1'))));
      expect((await instants()).length - before.length).toBe(5);
      const ahead = Date.now() + 3_600_000;
      await writing.sql('UPDATE environments SET last_at = to_timestamp($1 / 1000.0) WHERE environment_id = $2', [
        ahead,
        uuidOf(environmentId),
      ]);
      await writing.send(environmentId, fund('1')); // the clock stands behind: the instant moves on all the same
      expect((await instants()).at(-1)).toBe(ahead + 1);
    });

    it('of several environments keeps them apart', async () => {
      const other = await writing.environment();
      const [mine, theirs] = await Promise.all([
        writing.send(environmentId, fund('1')),
        writing.send(other, fund('1')),
      ]);
      expect([mine.status, theirs.status, code(theirs.body)]).toEqual([200, 404, 'resource_missing']);
    });

    it('that decided nothing writes nothing', async () => {
      const names = await statementsOf(writing, async () => {
        await writing.send(environmentId, { type: 'close_account', account });
        await writing.send(environmentId, fund('1'), { dryRun: true, key: 'dry' });
      });
      expect(names.filter((name) => name === 'ROLLBACK' || name === 'COMMIT')).toEqual(['ROLLBACK', 'ROLLBACK']);
      expect(await count('idempotency_records')).toBe(0);
    });
  });

  describe('a key', () => {
    const sending = { key: 'same', fingerprint: 'POST /v1/x\namount=1' };

    it('is good for one effect, also within one batch, and for the same bytes ever after', async () => {
      const before = await count('transfers');
      const together = await Promise.all([1, 2, 3].map(() => writing.send(environmentId, fund('1'), sending)));
      const later = await writing.send(environmentId, fund('1'), sending);
      expect(new Set([...together, later].map(({ body }) => body)).size).toBe(1);
      expect([...together, later].map(({ replayed }) => replayed)).toEqual([false, true, true, true]);
      expect(await count('transfers')).toBe(before + 1);
    });

    it('is refused for another request', async () => {
      const { status, body } = await writing.send(environmentId, fund('2'), {
        ...sending,
        fingerprint: 'POST /v1/x\namount=2',
      });
      expect([status, code(body)]).toEqual([400, 'idempotency_key_reused']);
      expect(JSON.parse(body)).toMatchObject({ error: { param: 'amount', resource_id: account } });
    });

    it('means something else in another environment', async () => {
      const other = await writing.environment();
      const { replayed, status } = await writing.send(other, create(null), sending);
      expect([replayed, status]).toEqual([false, 200]);
    });

    it('answers a repeated update that changed nothing as a replay', async () => {
      const update: Command = { type: 'update_account', account, name: 'Same', metadata: undefined };
      for (const key of ['changes', 'changes nothing']) {
        const [first, again, third] = [
          await writing.send(environmentId, update, { key, fingerprint: key }),
          await writing.send(environmentId, update, { key, fingerprint: key }),
          await writing.send(environmentId, update, { key, fingerprint: key }),
        ];
        expect([first.replayed, again.replayed, third.replayed]).toEqual([false, true, true]);
        expect([again.body, third.body]).toEqual([first.body, first.body]);
      }
    });

    it('keeps a refusal that was decided, and forgets one on the form of the request', async () => {
      const close: Command = { type: 'close_account', account };
      const first = await writing.send(environmentId, close, { key: 'close', fingerprint: 'c' });
      const again = await writing.send(environmentId, close, { key: 'close', fingerprint: 'c' });
      expect([code(first.body), again.body, again.replayed]).toEqual(['account_not_empty', first.body, true]);
      expect(code((await writing.send(environmentId, fund('1e3'), { key: 'form', fingerprint: 'f' })).body)).toBe(
        'amount_invalid',
      );
      expect(await writing.send(environmentId, fund('1'), { key: 'form', fingerprint: 'f' })).toMatchObject({
        status: 200,
        replayed: false,
      });
    });
  });

  describe('when something goes wrong', () => {
    const connectionLost = () => Object.assign(new Error('Connection terminated'), { code: '08006' });

    it('a command that PostgreSQL refuses fails alone, loudly', async () => {
      const before = await count('accounts');
      const sent = [create('good'), create('bad \0'), create('also good')].map((command) =>
        writing.send(environmentId, command),
      );
      const [first, bad, last] = await Promise.allSettled(sent);
      expect([first?.status, bad?.status, last?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((bad as PromiseRejectedResult).reason).toMatchObject({ code: 'internal_error' });
      expect(writing.faults.map(({ message }) => message)).toEqual([
        'A create_account command failed in the write path',
      ]);
      expect(await count('accounts')).toBe(before + 2);
    });

    it('a command alone in its batch gets a second try on a fresh connection, like one of several', async () => {
      const before = await count('accounts');
      let failures = 0;
      writing.tamper = async (statement, run) => {
        const isFirst = statement.text.includes('INSERT INTO accounts') && failures++ === 0;
        return run(isFirst ? { text: 'SELECT 1 / 0', values: [] } : statement);
      };
      expect(await writing.send(environmentId, create('second try'), { key: 'second try' })).toMatchObject({
        status: 200,
        replayed: false,
      });
      expect([failures, await count('accounts'), writing.faults]).toEqual([2, before + 1, []]);
    });

    it('a command waits for the database from its own arrival on, whoever waited before it', async () => {
      const before = await count('accounts');
      const ended = (sending: Promise<unknown>) =>
        sending.then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
      writing.tamper = async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw connectionLost();
      };
      const first = ended(writing.send(environmentId, create('first')));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const second = ended(writing.send(environmentId, create('second')));
      expect(await first).toBe('database_unavailable');
      // The second has waited for all but a second of its time; with the patience of the first one over again, it would
      // have all of it left.
      const third = ended(writing.send(environmentId, create('third')));
      const later = new Promise((resolve) => setTimeout(() => resolve('as late as one that comes now'), 4_500));
      expect(await Promise.race([second, later])).toBe('database_unavailable');
      writing.tamper = null;
      expect(await third).toBe('done');
      expect(await count('accounts')).toBe(before + 1);
      expect(writing.faults.length).toBeGreaterThan(0);
    });

    it('a COMMIT whose answer is lost is read back: one effect, one answer', async () => {
      const before = await count('transfers');
      let lost = 0;
      writing.tamper = async (statement, run) => {
        const result = await run(statement);
        if (statement.text === 'COMMIT' && lost++ === 0) throw connectionLost();
        return result;
      };
      const answers = await Promise.all(
        [1, 2].map((n) => writing.send(environmentId, fund('1'), { key: `lost ${n}`, fingerprint: 'l' })),
      );
      expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
        [200, false],
        [200, false],
      ]);
      expect(lost).toBe(1); // the second attempt found everything done and had nothing to commit
      expect(await count('transfers')).toBe(before + 2);
    });

    it('a client that repeats a key is answered with a replay, also where its batch was sent twice', async () => {
      const [old, fresh] = [
        { key: 'of before', fingerprint: 'o' },
        { key: 'of this batch', fingerprint: 'b' },
      ];
      const first = await writing.send(environmentId, fund('1'), old);
      const before = await count('transfers');
      let commits = 0;
      writing.tamper = async (statement, run) => {
        const result = await run(statement);
        if (statement.text === 'COMMIT' && commits++ === 0) throw connectionLost();
        return result;
      };
      const [again, one, two] = await Promise.all(
        [old, fresh, fresh].map((key) => writing.send(environmentId, fund('1'), key)),
      );
      expect([again, one, two].map((outcome) => outcome?.replayed)).toEqual([true, false, true]);
      expect([again?.body, two?.body]).toEqual([first.body, one?.body]);
      expect(await count('transfers')).toBe(before + 1);
    });

    it('a record that another process wrote between two attempts is not taken for our own', async () => {
      let commits = 0;
      writing.tamper = async (statement, run) => {
        if (commits > 0) return run(statement);
        if (statement.name === 'insert_idempotency_records') return { rows: [] }; // or the other would have to wait for it
        if (statement.text !== 'COMMIT') return run(statement);
        commits += 1;
        await writing.sql(
          `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, body, created_at)
          VALUES ($1, 'taken', 't', 400, '{}', now())`,
          [uuidOf(environmentId)],
        );
        throw connectionLost();
      };
      const outcome = await writing.send(environmentId, fund('1'), { key: 'taken', fingerprint: 't' });
      expect(outcome).toEqual({ status: 400, body: '{}', replayed: true });
    });

    it('a fault behind COMMIT does nothing twice, though no key remembers', async () => {
      const before = await count('transfers');
      writing.onCommitted = () => {
        throw new Error('the dispatcher is broken');
      };
      const sent = [writing.send(environmentId, fund('3')), writing.send(environmentId, fund('4'))];
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
      expect(await count('transfers')).toBe(before + 2);
      expect(writing.faults.map(({ message }) => message)).toEqual([expect.stringContaining('handed over')]);
    });

    it('a COMMIT that never arrived is made again', async () => {
      const before = await count('transfers');
      let lost = 0;
      writing.tamper = (statement, run) =>
        statement.text === 'COMMIT' && lost++ === 0 ? Promise.reject(connectionLost()) : run(statement);
      const { status } = await writing.send(environmentId, fund('1'), { key: 'never arrived', fingerprint: 'n' });
      expect([status, lost, await count('transfers')]).toEqual([200, 2, before + 1]);
    });

    it('passing trouble of the database is waited out', async () => {
      const troubles = ['40P01', '53300', '57P01', '55P03'];
      writing.tamper = (statement, run) => {
        const sqlState = statement.name === 'lock_environments' ? troubles.pop() : undefined;
        return sqlState === undefined
          ? run(statement)
          : Promise.reject(Object.assign(new Error('trouble'), { code: sqlState }));
      };
      expect((await writing.send(environmentId, fund('1'))).status).toBe(200);
      expect([troubles, writing.faults]).toEqual([[], []]);
    });

    it('a full queue refuses at once', async () => {
      const sent = Array.from({ length: 25 }, () => writing.send(environmentId, fund('1')));
      const settled = await Promise.allSettled(sent);
      const refused = settled.filter((each) => each.status === 'rejected');
      expect(refused).toHaveLength(5);
      for (const each of refused) expect(each.reason).toMatchObject({ code: 'overloaded' });
    });

    it('one that stops answers what it took and takes nothing more', async () => {
      const own = await startWriting({}, kind);
      const environment = await own.environment();
      const sent = Array.from({ length: 5 }, () => own.send(environment, create(null)));
      const stopped = own.writer.stop();
      await expect(own.send(environment, create(null))).rejects.toBeInstanceOf(RequestError);
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      await stopped;
      await own.stop();
    });
  });
});
