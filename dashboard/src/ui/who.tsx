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
}

/** Names of people and keys by id: of the newest 100 each, which is all of them nearly everywhere; the others are shown by the end of their ids. */
export function useNames(): ReadonlyMap<string, string> {
  const may = useMay();
  const namesAt = (path: string, scope: string) => ({
    key: ['names', path],
    read: async (client: Parameters<typeof pageAt>[0]) => (await pageAt<Named>(client, path, { limit: 100 })).data,
    isOff: !may(scope),
  });
  const [people, keys] = [namesAt('/v1/users', 'users:read'), namesAt('/v1/keys', 'keys:read')];
  const known = [useRead(people.key, people.read, people), useRead(keys.key, keys.read, keys)];
  return new Map(
    known.flatMap(({ data = [] }) => data.map(({ id, name, email }) => [id, name ?? email ?? id] as const)),
  );
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
