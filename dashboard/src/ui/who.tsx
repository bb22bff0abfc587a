/** Who did something: the name of the person or of the key where the reader may know it, words for a part of the service. */
import { pageAt } from '../api/client.ts';
import { useMay } from '../api/me.ts';
import { useRead } from '../api/reads.ts';
import { hrefOf } from '../links.ts';
import { actorName } from './actors.ts';
import { Go } from './go.tsx';

interface Named {
  readonly id: string;
  /** Of a person who has not chosen one: `null`. */
  readonly name: string | null;
  readonly email?: string | null;
  /** Of people. */
  readonly roles?: readonly string[];
  readonly status?: string;
}

/** Of the newest 100 people or keys; nothing for a role that may not see them. */
function useNamed(path: string, scope: string): readonly Named[] {
  const may = useMay();
  const read = useRead(['names', path], async (client) => (await pageAt<Named>(client, path, { limit: 100 })).data, {
    isOff: !may(scope),
  });
  return read.data ?? [];
}

/** Who lets people in here, as far as the reader may know. */
export const useAdministrators = (): readonly Named[] =>
  useNamed('/v1/users', 'users:read').filter(({ roles, status }) => status === 'active' && roles?.includes('admin'));

/** Names of people and keys by id: of the newest 100 each, which is all of them nearly everywhere; the others are shown by the end of their ids. */
export function useNames(): ReadonlyMap<string, string> {
  const [people, keys] = [useNamed('/v1/users', 'users:read'), useNamed('/v1/keys', 'keys:read')];
  return new Map([...people, ...keys].map(({ id, name, email }) => [id, name ?? email ?? id] as const));
}

export function Who({ actor }: { readonly actor: string | null }) {
  const names = useNames();
  const name = actorName(actor, names);
  const to = actor !== null && names.has(actor) ? hrefOf(actor) : undefined;
  if (to === undefined) return <span title={actor ?? undefined}>{name}</span>;
  return (
    <Go to={to} title={actor ?? undefined}>
      {name}
    </Go>
  );
}
