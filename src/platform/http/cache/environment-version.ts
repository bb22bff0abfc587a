/**
 * The version of an environment. Every commit of the write path increases `last_at` under the environment's lock
 * (`write/persist.ts`); a sandbox reset sets `last_at` back and increments `endpoints_version`. A read that follows a
 * version query sees that version or a later one. Used by `response-cache.ts`.
 */
import { uuids } from '../../db/wire/columns.ts';
import type { Row, Statement } from '../../db/wire/statement.ts';

/** Environments of one query: few, so that it delays other reads only shortly. */
const MAX_BATCH = 500;

class Asked {
  resolve!: (version: string) => void;
  reject!: (error: unknown) => void;
  readonly promise = new Promise<string>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/** Versions as opaque texts. No version was read before its call: calls during a query share the next one. */
export function environmentVersions(
  rows: (statement: Statement) => Promise<readonly Row[]>,
): (environmentId: string) => Promise<string> {
  let waiting = new Map<string, Asked>();
  let isBusy = false;

  const plan = () => {
    if (isBusy || waiting.size === 0) return;
    isBusy = true;
    setImmediate(() => {
      const asked = waiting;
      waiting = new Map([...asked].slice(MAX_BATCH));
      for (const late of waiting.keys()) asked.delete(late);
      void answer(asked).finally(() => {
        isBusy = false;
        plan();
      });
    });
  };

  const answer = async (asked: ReadonlyMap<string, Asked>) => {
    try {
      const inOrder = [...asked.values()];
      const found = await rows(versionsOf([...asked.keys()]));
      for (const row of found) {
        const version = `${row['last_at'] as number} ${row['endpoints_version'] as bigint}`;
        inOrder[(row['place'] as number) - 1]?.resolve(version);
      }
      if (found.length < inOrder.length) throw new Error('The environment does not exist.'); // rejects those without a row
    } catch (error) {
      for (const each of asked.values()) each.reject(error);
    }
  };

  return (environmentId) => {
    const asked = waiting.get(environmentId);
    if (asked !== undefined) return asked.promise;
    const added = new Asked();
    waiting.set(environmentId, added);
    plan();
    return added.promise;
  };
}

function versionsOf(environmentIds: readonly string[]): Statement {
  return {
    name: 'environment_versions',
    text: `SELECT k.place::int4, e.last_at, e.endpoints_version
      FROM unnest($1::uuid[]) WITH ORDINALITY AS k (environment_id, place)
      JOIN environments AS e USING (environment_id)`,
    values: [uuids(environmentIds)],
  };
}
