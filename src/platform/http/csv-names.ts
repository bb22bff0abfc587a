/**
 * Names beside ids in lists as CSV: `account_name` behind `account`, because people read such files. A name is what `GET` of the object
 * would say; where the key may not read the object, the cell is empty. One statement a page and kind.
 */
import type { Prefix } from '../../core/values/ids.ts';
import { membersOf } from '../../core/values/json-text.ts';
import { covers } from '../../core/scopes.ts';
import { nameColumn } from './csv.ts';
import type { Expansion, Expansions } from './expand.ts';
import type { Caller } from './route.ts';

/** `texts`: objects as JSON, in the newest version; each gets a member for every name that is found. `named`: members of ids. */
export async function withNames(
  expansions: Expansions,
  caller: Caller,
  texts: readonly string[],
  named: readonly string[],
): Promise<readonly string[]> {
  if (named.length === 0) return texts;
  const idsOf = texts.map((text) => {
    const members = membersOf(text);
    return named.map((member) => idIn(members.get(member)));
  });
  const names = await namesOf(expansions, caller, idsOf.flat());
  return texts.map((text, row) => {
    const found = named.flatMap((member, at) => {
      const name = names.get(idsOf[row]?.[at] ?? '');
      return name === undefined ? [] : [`,"${nameColumn(member)}":${name}`];
    });
    return `${text.slice(0, -1)}${found.join('')}}`;
  });
}

const idIn = (json = 'null'): string | null => (json.startsWith('"') ? (JSON.parse(json) as string) : null);

const mayRead = ({ scopes }: Caller, { scope }: Expansion): boolean =>
  scopes === null || scope === null || covers(scopes, scope);

/** The JSON of names, by id. */
async function namesOf(
  expansions: Expansions,
  caller: Caller,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const byKind = new Map<Prefix, Set<string>>();
  for (const id of ids) {
    if (id === null) continue;
    const kind = id.slice(0, id.indexOf('_')) as Prefix;
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id));
  }
  const names = new Map<string, string>();
  for (const [kind, wanted] of byKind) {
    const expansion = expansions[kind];
    if (expansion === undefined || !mayRead(caller, expansion)) continue;
    for (const [id, text] of await expansion.find(caller, [...wanted])) {
      const name = membersOf(text).get('name');
      if (name !== undefined) names.set(id, name);
    }
  }
  return names;
}
