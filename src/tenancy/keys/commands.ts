/** The commands of keys, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import * as decide from './decide.ts';

export const keyDecisions = decisions({
  create_key: decide.createKey,
  roll_key: decide.rollKey,
  revoke_key: decide.revokeKey,
  note_refused_key: decide.noteRefusedKey,
});
export type KeyCommand = CommandOf<typeof keyDecisions>;
