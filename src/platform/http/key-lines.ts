/** Filters by the key that did something: who acts is a line of keys, a key and what it was rolled to (docs/decisions/0074). */
import { uuidOf } from '../../core/values/ids.ts';
import { uuids } from '../db/wire/columns.ts';
import type { Statement } from '../db/wire/statement.ts';
import type { Caller } from './route.ts';
import type { Service } from './service.ts';

/** All keys of the lines that these keys are of (index api_keys_line). */
const keysOfLines = (environmentId: string, keys: readonly string[]): Statement => ({
  name: 'keys_of_lines',
  text: `SELECT k.id FROM api_keys k WHERE k.environment_id = $1 AND k.lineage[cardinality(k.lineage)] IN (
      SELECT o.lineage[cardinality(o.lineage)] FROM api_keys o WHERE o.environment_id = $1 AND o.id = ANY ($2::uuid[]))`,
  values: [uuidOf(environmentId), uuids(keys)],
});

/**
 * The uuids of the actors that a filter names, and of all keys of their lines. A row names the first key of its line; entries
 * of the audit log and rows from before lines name the very key. `undefined`: no filter.
 */
export async function lineMates(
  { rows }: Service,
  { environmentId }: Caller,
  actors: string | readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (actors === undefined) return undefined;
  const named = [actors].flat();
  const found = await rows(keysOfLines(environmentId, named));
  return [...new Set([...named.map(uuidOf), ...found.map(({ id }) => id as string)])];
}
