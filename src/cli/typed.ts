/** Commands that a message names, as the reader types them here: `npx bursar keys list`. Used by `bursar.ts` and `doctor.ts`. */
import { programName } from '../operator/program-name.ts';

/** In messages the program is lower case, and what follows it is a verb. */
const COMMAND = /(?<!npx )\bbursar (?=[a-z])/g;

export const asTyped = (message: string, program = programName()): string => message.replaceAll(COMMAND, `${program} `);
