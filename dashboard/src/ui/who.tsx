/** Who did something: the name of the person or of the key where the reader may know it, words for a part of the service. */
import { pageAt } from '../api/client.ts';
import { useMay, useMe } from '../api/me.ts';
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

/**
 * Names of people and keys by id: of the newest 100 each, which is all of them nearly everywhere, and that of the reader; the others are shown by
 * the end of their ids.
 */
export function useNames(): ReadonlyMap<string, string> {
  const [people, keys] = [useNamed('/v1/users', 'users:read'), useNamed('/v1/keys', 'keys:read')];
  const own = useMe().data?.actor;
  const all: readonly Named[] = own === undefined ? [...people, ...keys] : [own, ...people, ...keys];
  return new Map(all.map(({ id, name, email }) => [id, name ?? email ?? id] as const));
}

interface WhoProps {
  readonly actor: string | null;
  /** What `expand[]=created_by` says, also to who may not see people or keys. */
  readonly named?: { readonly name: string | null } | undefined;
}

export function Who({ actor, named }: WhoProps) {
  const names = useNames();
  const may = useMay();
  const name = named?.name ?? actorName(actor, names);
  const mayOpen = may(actor?.startsWith('key_') === true ? 'keys:read' : 'users:read');
  const to = actor !== null && names.has(actor) && mayOpen ? hrefOf(actor) : undefined;
  if (to === undefined) return <span title={actor ?? undefined}>{name}</span>;
  return (
    <Go to={to} title={actor ?? undefined}>
      {name}
    </Go>
  );
}
