/** What an environment tells its readers of itself, field by field: that its database was put back to an earlier state. */
import * as field from '../../core/fields.ts';

export const RESTORE = field.objectType('restore', 'rst', {
  lastSequence: field.bigCount({
    description:
      'Sequence of the newest event in the restored database. Later events that you have received are gone, and so are the changes that they reported.',
  }),
  nextSequence: field.bigCount({
    description: 'Sequence of this event. The numbers between the two are never used.',
  }),
});
export type Restore = field.ObjectOf<typeof RESTORE>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly restore: Restore;
  }
}
