/**
 * A folder for each bank account: sealed files appear in `out/`, each once, with a manifest; files in `in/` are
 * imported and moved to `done/` or `failed/`, with a report. Must never read or write outside of the folder, whatever
 * the server answers and whatever links lie in it.
 */
import { lstat, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type BankAccount, type PaymentFile, BursarError, ConnectionError } from '../../client/src/bursar.ts';
import { isId } from '../core/values/ids.ts';
import { Exit } from '../operator/exit.ts';
import { type BankClient, importedDocument } from './bank-client.ts';
import { writeNew } from './remote/private-file.ts';

/** Sizes and times of files in `in/` as they were in the round before: one that has changed is still being written. */
export type Seen = Map<string, string>;

/** One look at all folders below `root`. `say` is called with a line for everything that was done. */
export async function watchOnce(
  client: BankClient,
  root: string,
  seen: Seen,
  say: (line: string) => void,
): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for await (const account of client.all<BankAccount>('/v1/bank_accounts?status=open')) {
    const folder = join(
      root,
      checked('id', account.id, (id) => isId('ba', id)),
    );
    for (const name of ['', 'out', 'in', 'done', 'failed', '.written']) await ownFolder(join(folder, name));
    for await (const file of client.all<PaymentFile>(`/v1/payment_files?status=sealed&bank_account=${account.id}`)) {
      if (file.answered_at === null && (await writeOut(client, folder, account, file)))
        say(`out  ${nameOf(file)}  ${file.payouts_count} payouts`);
    }
    for await (const name of readyFiles(folder, seen, say)) {
      const done = await takeIn(client, folder, name);
      if (done !== null) say(done); // else the server is away; again in the next round
    }
  }
}

/** What the server sends gets into a path only in the form that Bursar writes it. Throws `Exit`. */
function checked(member: string, value: unknown, fits: (text: string) => boolean): string {
  if (typeof value === 'string' && fits(value)) return value;
  const given = JSON.stringify(value)?.slice(0, 100) ?? 'nothing';
  throw new Exit('failed', `The server answers with the ${member} ${given}, which Bursar never writes. Check --url.`);
}

function nameOf({ currency, execution_on, message_id }: PaymentFile): string {
  const money = checked('currency', currency, (text) => /^[A-Z]{3}$/.test(text));
  const day = checked('execution_on', execution_on, (text) => /^\d{4}-\d\d-\d\d$/.test(text));
  const id = checked('message_id', message_id, (text) => /^[0-9A-Z]{1,35}$/.test(text));
  return `payouts-${money}-${day}-${id}.xml`;
}

/**
 * Writes a file and its manifest, once, and then a mark. Killed before the mark, it is written again; killed after it,
 * only the rename is missing.
 */
async function writeOut(client: BankClient, folder: string, account: BankAccount, file: PaymentFile): Promise<boolean> {
  const id = checked('id', file.id, (text) => isId('pf', text));
  const [mark, path] = [join(folder, '.written', id), join(folder, 'out', nameOf(file))];
  const part = `${path}.part`;
  if (await isFile(mark)) {
    if (!(await isFile(part))) return false;
  } else {
    await write(part, await client.download(`/v1/payment_files/${id}/content`));
    await write(`${path}.json`, `${JSON.stringify(manifestOf(account, file), null, 2)}\n`);
    await write(mark, '');
  }
  await move(part, path);
  return true;
}

/** What a client that sends the file needs to know of it. */
function manifestOf(account: BankAccount, file: PaymentFile) {
  const { id, message_id, sha256, size_bytes, payouts_count, total_minor, currency, execution_on } = file;
  // Many banks take files with one payment only by the order types with verification of the payee.
  const verifies = account.payee_check === 'on' || payouts_count === 1;
  return {
    file: nameOf(file),
    id,
    message_id,
    sha256,
    size_bytes,
    payouts_count,
    total_minor,
    currency,
    execution_on,
    bank_account: account.id,
    verification_of_payee: verifies,
    suggested_ebics_order_type: orderTypeOf(file, verifies),
  };
}

/** The usual ones; a bank may have agreed on others. */
function orderTypeOf({ profile, route, currency }: PaymentFile, verifies: boolean): string | null {
  if (profile === 'ch_sps') return 'XE2';
  if (profile === 'generic') return null;
  if (route === 'sepa') return verifies ? 'CTV' : 'CCT';
  if (route === 'sepa_instant') return verifies ? 'CIV' : 'CIP';
  return currency === 'EUR' && route === 'urgent' ? 'CCU' : 'AXZ';
}

/** Files that did not change since the round before, each looked at just before it is taken. */
async function* readyFiles(folder: string, seen: Seen, say: (line: string) => void): AsyncGenerator<string> {
  for (const name of (await readdir(join(folder, 'in'))).sort()) {
    if (name.startsWith('.') || name.endsWith('.part')) continue;
    const path = join(folder, 'in', name);
    const found = await lstat(path).catch(() => null);
    if (found === null || found.isDirectory()) continue;
    const state = found.isFile() ? `${found.size} ${found.mtimeMs}` : 'no file';
    const isSame = seen.get(path) === state;
    seen.set(path, state);
    if (found.isFile() && isSame) yield name;
    if (!found.isFile() && !isSame) say(`LEFT  ${name}  is a link or a device: only files are imported`);
  }
}

/** Imports a file and moves it away; says what came of it. `null`: the server could not be asked, or will take it later. */
async function takeIn(client: BankClient, folder: string, name: string): Promise<string | null> {
  const path = join(folder, 'in', name);
  const stamped = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${name}`;
  const moveTo = async (to: 'done' | 'failed', report: string): Promise<void> => {
    await write(join(folder, to, `${stamped}.json`), report);
    await move(path, join(folder, to, stamped));
  };
  try {
    const document = await importedDocument(client, path, () => undefined);
    await moveTo('done', `${JSON.stringify(document, null, 2)}\n`);
    return `done  ${name}  ${document.statements_count} statements`;
  } catch (error) {
    if (!(error instanceof BursarError) || error instanceof ConnectionError || isPassing(error)) return null;
    await moveTo('failed', `${JSON.stringify({ error: error.detail })}\n`);
    return `FAILED  ${name}  ${error.message}`;
  }
}

/** Whether the same file may be taken in a while. */
const isPassing = ({ status }: BursarError): boolean => status >= 500 || [408, 409, 429].includes(status);

/** Makes the folder if it is not there. Throws `Exit` where something else, such as a link, has its name. */
async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!(await lstat(path)).isDirectory()) throw elsewhere(path, 'folder');
}

/** Whether a file has this name. Throws `Exit` where something else has it. */
async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isFile()) throw elsewhere(path, 'file');
  return found !== null;
}

const elsewhere = (path: string, what: string): Exit =>
  new Exit('failed', `${path} is no ${what}, and links are not followed here. Remove it, then it goes on.`);

async function write(path: string, content: Buffer | string): Promise<void> {
  await isFile(path);
  await writeNew(path, content);
}

async function move(from: string, to: string): Promise<void> {
  await isFile(to);
  await rename(from, to);
}
