/**
 * Which version environments are at. Every commit of the write path moves `last_at` of its environments on, under their
 * locks (`write/persist.ts`); a reset of a sandbox sets it back and counts `endpoints_version` up. What is read after a
 * version was asked for is of that version or of a later one. Who asks: `http/cache/response-cache.ts`.
 */
import { assert } from '../../core/assert.ts';
import { uuids } from '../../db/wire/columns.ts';
import type { Row, Statement } from '../../db/wire/statement.ts';

/** Environments of one question: few enough that it never holds up other reads for long. */
const MAX_ASKED = 500;

interface Asked {
  readonly promise: Promise<string>;
  resolve(version: string): void;
  reject(error: unknown): void;
}

/**
 * Versions as opaque texts. Those who ask while a question is under way share the next one, so that no version was read
 * before it was asked for. Rejects with what `rows` rejects with.
 */
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
      waiting = new Map([...asked].slice(MAX_ASKED));
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
      if (found.length < inOrder.length) throw new Error('The environment does not exist.'); // for those without an answer
    } catch (error) {
      for (const each of asked.values()) each.reject(error);
    }
  };

  return (environmentId) => {
    let asked = waiting.get(environmentId);
    if (asked === undefined) {
      asked = withResolvers();
      waiting.set(environmentId, asked);
      plan();
    }
    return asked.promise;
  };
}

function withResolvers(): Asked {
  let resolve: Asked['resolve'] | undefined;
  let reject: Asked['reject'] | undefined;
  const promise = new Promise<string>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  assert(resolve !== undefined && reject !== undefined, 'a promise runs its executor at once');
  return { promise, resolve, reject };
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
