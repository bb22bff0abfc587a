/** Restores and changes of the server secret, as the write path knows them. */
import { nothing, slice } from '../../core/slice.ts';
import { noteRestore, noteRotation } from './decide.ts';
import { RESTORE } from './fields.ts';
import { RESTORES } from './sql.ts';

export const environments = slice({
  decisions: { note_restore: noteRestore, note_rotation: noteRotation },
  needs: { note_restore: nothing, note_rotation: nothing },
  audited: ['note_restore', 'note_rotation'],
  tables: { restore: RESTORES },
  objects: { restore: RESTORE },
});
