/** Who sent a request, as its events and the audit log keep it. */
import type { Actor } from '../core/actor.ts';
import type { Origin } from '../core/state.ts';

/** The line of the key asks, so that a rolled key is who it was; the audit log names the very key. */
export function originOf(
  {
    actorId,
    lineage,
    session,
  }: { readonly actorId: string; readonly lineage: readonly string[] } & Pick<Origin, 'session'>,
  how: Pick<Origin, 'requestId' | 'idempotencyKey' | 'address' | 'trace'>,
): Origin {
  const ofPerson = session == null ? {} : { session: { id: session.id, method: session.method } };
  return { actor: lineage.at(-1) as Actor, lineage, key: actorId as Actor, ...ofPerson, ...how };
}
