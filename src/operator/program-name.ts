/** The program's name as the reader types it: for the banner, and for commands in messages (`npx bursar keys list`). */
import { environmentWith } from '../config.ts';

/** As the person who started this process types it; what npm says of itself tells. */
export function programName(env: Readonly<Record<string, string | undefined>> = environmentWith({})): string {
  if (env['npm_command'] === undefined) return 'bursar';
  const isOwnScript = env['npm_command'] !== 'exec' && env['npm_package_name'] === 'bursar';
  return isOwnScript ? 'npm run bursar --' : 'npx bursar';
}

/** In messages the program is lower case, and a verb follows it. */
const COMMAND = /(?<!npx )\bbursar (?=[a-z])/g;

export const asTyped = (message: string, program = programName()): string => message.replaceAll(COMMAND, `${program} `);
