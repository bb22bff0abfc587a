/** Sign-in, as the write path knows it: entries of the audit log. */
import { nothing, slice } from '../../core/slice.ts';
import { noteSignIn } from './decide.ts';

export const sessions = slice({
  decisions: { note_sign_in: noteSignIn },
  needs: { note_sign_in: nothing },
  audited: ['note_sign_in'],
});
