/** The temporary file of a statement file: nobody finds it by a name, and it ends with its upload. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { eventually } from '../../test/support/harness/eventually.ts';

let application: Application;
let folder: string;
const before = process.env['TMPDIR'];
beforeAll(async () => {
  application = await startApplication();
  folder = mkdtempSync(join(tmpdir(), 'bursar-upload-'));
  process.env['TMPDIR'] = folder;
});
afterAll(async () => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  await application?.stop();
  rmSync(folder, { recursive: true });
});

const OPEN = '/proc/self/fd';
/** How many files in the folder this process has open, with and without a name. */
const openFiles = () =>
  readdirSync(OPEN).filter((each) => {
    try {
      return readlinkSync(join(OPEN, each)).startsWith(folder);
    } catch {
      return false; // closed meanwhile
    }
  }).length;

it.skipIf(!existsSync(OPEN))(
  'has no name while it is received, so that nothing is left by a process that is killed',
  async () => {
    const { port } = new URL(application.address);
    const socket = connect(Number(port), '127.0.0.1');
    const key = application.sandbox.key;
    socket.write(
      `POST /v1/statement_files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 9000\r\n\r\n<`,
    );
    await eventually('the file is written', () => openFiles() === 1);
    await eventually('it has no name', () => readdirSync(folder).length === 0);
    socket.destroy();
    await eventually('the file is gone', () => openFiles() === 0);
    expect(readdirSync(folder)).toEqual([]);
  },
);
