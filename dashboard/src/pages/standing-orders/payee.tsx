/** Whom a standing order pays. The API says an id: names are those of the newest recipients, and of others one by one. */
import type { Recipient } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { shortId } from '../../ui/id.tsx';

/** `null`: it pays a salary, and the role may not know whose. */
export function Payee({ id }: { readonly id: string | null }) {
  const name = usePayeeName(id);
  return id === null ? 'Not shown to you' : <bdi>{name ?? shortId(id)}</bdi>;
}

/** `undefined`: not known yet, or never. */
export function usePayeeName(id: string | null): string | undefined {
  const newest = useRead(['recipients', 'newest'], (client) =>
    pageAt<Recipient>(client, '/v1/recipients', { limit: 100 }),
  );
  const known = newest.data?.data.find((each) => each.id === id);
  const one = useRead(['recipient', id], (client) => client.recipients.retrieve(id ?? ''), {
    isOff: id === null || newest.isPending || known !== undefined,
  });
  return (known ?? one.data)?.name;
}
