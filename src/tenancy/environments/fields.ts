/** What an environment tells its readers of itself, field by field: that its database was put back to an earlier state. */
import * as field from '../../core/fields.ts';

export const RESTORE = field.objectType('restore', 'rst', {
  lastSequence: field.bigCount({
    description:
      'Sequence of the newest event that the restored database holds. Later events that you have received, and what they were about, are gone.',
  }),
  nextSequence: field.bigCount({
    description: 'Sequence of this event. The numbers between the two are never given again.',
  }),
});
export type Restore = field.ObjectOf<typeof RESTORE>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly restore: Restore;
  }
}
