/** What the program is called where it is typed. For the banner and for messages of commands (`cli/typed.ts`). */
import { environmentWith } from '../config.ts';

/** As the person who started this process types it; what npm says of itself tells. */
export function programName(env: Readonly<Record<string, string | undefined>> = environmentWith({})): string {
  if (env['npm_command'] === undefined) return 'bursar';
  const isOwnScript = env['npm_command'] !== 'exec' && env['npm_package_name'] === 'bursar';
  return isOwnScript ? 'npm run bursar --' : 'npx bursar';
}
