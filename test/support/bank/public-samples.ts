/**
 * Public samples and schemas of ISO 20022, which the project does not carry: in the folder that `BURSAR_ISO20022` names, else beside the
 * project. Tests that need them are left out and say so where they are not. Next: `read-documents.ts`, for samples of our own.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tidy/source.ts';

const folder = process.env['BURSAR_ISO20022'] ?? join(ROOT, '../shared/iso20022');

/** The folder with `samples/`, `xsd/` and `codes/`, or `undefined`. */
export const ISO20022: string | undefined = existsSync(join(folder, 'samples')) ? folder : undefined;

if (ISO20022 === undefined) {
  process.stderr.write(
    `Public samples of ISO 20022 are not at ${folder} (BURSAR_ISO20022): tests with them are left out.\n`,
  );
}
