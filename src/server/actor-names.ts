/** What actors are called, for histories and lists that people read: keys by the names that their makers gave them, revoked ones too. */
import { idOf, isId } from '../core/values/ids.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { keysNamed } from '../reports/history/sql.ts';
import type { ActorNames } from '../reports/history/routes.ts';

export function actorNames(rows: (statement: Statement) => Promise<readonly Row[]>): ActorNames {
  return async (environmentId, actors) => {
    const keys = actors.filter((actor) => isId('key', actor));
    if (keys.length === 0) return new Map();
    const found = await rows(keysNamed(environmentId, keys));
    return new Map(found.map((row) => [idOf('key', row['id'] as string), row['name'] as string]));
  };
}
