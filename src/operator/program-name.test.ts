/** Messages name commands as the reader types them. */
import { expect, it } from 'vitest';
import { programName, asTyped } from './program-name.ts';

it.each([
  [{}, 'bursar'],
  [{ npm_command: 'exec' }, 'npx bursar'],
  [{ npm_command: 'exec', npm_package_name: 'bursar' }, 'npx bursar'],
  [{ npm_command: 'start', npm_package_name: 'bursar' }, 'npm run bursar --'],
  [{ npm_command: 'run', npm_package_name: 'bursar' }, 'npm run bursar --'],
  [{ npm_command: 'run', npm_package_name: 'shop' }, 'npx bursar'],
])('%o is typed %s', (env, program) => expect(programName(env)).toBe(program));

it('changes commands and nothing else', () => {
  const message = 'No key x at bursar.example. See: bursar keys list, then npx bursar start. Bursar audits.';
  expect(asTyped(message, 'npm run bursar --')).toBe(
    'No key x at bursar.example. See: npm run bursar -- keys list, then npx bursar start. Bursar audits.',
  );
});
