/** The commands of environments, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { decisions } from '../../core/decision.ts';
import { noteRestore, noteRotation } from './decide.ts';

export const environmentDecisions = decisions({ note_restore: noteRestore, note_rotation: noteRotation });
