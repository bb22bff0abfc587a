/**
 * What waits for a second person before an entry is voided, or un-voided: as it is kept and shown, and what an approval is bound to. Pure.
 * Who decides: `void-decide.ts`.
 */
import * as field from '../../core/fields.ts';
import { fingerprintOf, type PendingChanges, pendingSchema, shown } from '../../core/pending.ts';

export const VOIDED_OR_NOT = ['voided', 'unmatched'] as const;

export interface PendingStatus extends PendingChanges<{ readonly status: (typeof VOIDED_OR_NOT)[number] }> {
  readonly reason: string;
}

/** What the second person sees of the entry: an assignment meanwhile outdates it. */
interface Changing {
  readonly id: string;
  readonly status: string;
  readonly assignments: readonly { readonly transfer: string | null; readonly undoneBy: string | null }[];
  readonly pendingChanges: PendingStatus | null;
}

export function fingerprintOfStatus({ id, status, assignments }: Changing, pending: PendingStatus): string {
  const parts = assignments.map(({ transfer, undoneBy }) => [transfer, undoneBy]);
  return fingerprintOf([id, status, parts, pending.changes.status, pending.reason], pending);
}

export function shownStatus(entry: Changing): object | null {
  const { pendingChanges: pending } = entry;
  if (pending === null) return null;
  const { changes, reason } = pending;
  return shown(pending, fingerprintOfStatus(entry, pending), { changes: { status: changes.status }, reason });
}

export const pendingChanges: field.Field<PendingStatus | null> = {
  column: field.jsonOrNull<PendingStatus>({}, { column: 'pending_change', mutable: true }).column,
  shown: () => ({
    schemas: {
      pending_changes: pendingSchema('What waits for `POST /v1/bank_entries/:id/approve`.', {
        changes: {
          type: 'object',
          description: 'The `status` that it is to have.',
          properties: { status: { type: 'string', enum: VOIDED_OR_NOT } },
        },
        reason: { type: 'string', description: 'Why, in the words of who asked.' },
      }),
    },
    json: (_, entry) => `"pending_changes":${JSON.stringify(shownStatus(entry as unknown as Changing))}`,
  }),
};
