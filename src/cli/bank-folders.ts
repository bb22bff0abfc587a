/**
 * A folder for each bank account: sealed files appear in `out/`, each once, with a manifest; files in `in/` are
 * imported and moved to `done/` or `failed/`, with a report.
 */
import { open, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BankAccount, type BankFile, BursarError } from '../../client/src/bursar.ts';
import { type BankClient, importedDocument } from './bank-client.ts';

/** Sizes and times of files in `in/` as they were in the round before: one that has changed is still being written. */
export type Seen = Map<string, string>;

/** One look at all folders below `root`. `say` is called with a line for everything that was done. */
export async function watchOnce(
  client: BankClient,
  root: string,
  seen: Seen,
  say: (line: string) => void,
): Promise<void> {
  for await (const account of client.all<BankAccount>('/v1/bank_accounts?status=open')) {
    const folder = join(root, account.id);
    for (const name of ['out', 'in', 'done', 'failed', '.written'])
      await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
    for await (const file of client.all<BankFile>(`/v1/bank/files?status=sealed&bank_account=${account.id}`)) {
      if (file.answered_at === null && (await writeOut(client, folder, account, file)))
        say(`out  ${nameOf(file)}  ${file.payouts_count} payouts`);
    }
    for (const name of await readyFiles(folder, seen)) {
      const done = await takeIn(client, folder, name);
      if (done !== null) say(done); // else the server is away; again in the next round
    }
  }
}

const nameOf = ({ currency, execution_day, message_id }: BankFile): string =>
  `payouts-${currency}-${execution_day}-${message_id}.xml`;

/**
 * Writes a file and its manifest, once, and then a mark. Killed before the mark, it is written again; killed after it,
 * only the rename is missing.
 */
async function writeOut(client: BankClient, folder: string, account: BankAccount, file: BankFile): Promise<boolean> {
  const { id } = file;
  const [mark, name] = [join(folder, '.written', id), nameOf(file)];
  const part = join(folder, 'out', `${name}.part`);
  if (await exists(mark)) {
    if (!(await exists(part))) return false;
  } else {
    await writeDurably(part, await client.download(`/v1/bank/files/${id}/content`));
    await writeDurably(join(folder, 'out', `${name}.json`), `${JSON.stringify(manifestOf(account, file), null, 2)}\n`);
    await writeDurably(mark, '');
  }
  await rename(part, join(folder, 'out', name));
  return true;
}

/** What a client that sends the file needs to know of it. */
function manifestOf(account: BankAccount, file: BankFile) {
  const { id, message_id, sha256, size_bytes, payouts_count, total, currency, execution_day } = file;
  // Many banks take files with one payment only by the order types with verification of the payee.
  const verifies = account.payee_check === 'on' || payouts_count === 1;
  return {
    file: nameOf(file),
    id,
    message_id,
    sha256,
    size_bytes,
    payouts_count,
    total_minor: total,
    currency,
    execution_day,
    bank_account: account.id,
    verification_of_payee: verifies,
    suggested_ebics_order_type: orderTypeOf(file, verifies),
  };
}

/** The usual ones; a bank may have agreed on others. */
function orderTypeOf({ profile, route, currency }: BankFile, verifies: boolean): string | null {
  if (profile === 'ch_sps') return 'XE2';
  if (profile === 'generic') return null;
  if (route === 'sepa') return verifies ? 'CTV' : 'CCT';
  if (route === 'sepa_instant') return verifies ? 'CIV' : 'CIP';
  return currency === 'EUR' && route === 'urgent' ? 'CCU' : 'AXZ';
}

/** Files that did not change since the round before. */
async function readyFiles(folder: string, seen: Seen): Promise<string[]> {
  const ready: string[] = [];
  for (const name of await readdir(join(folder, 'in'))) {
    if (name.startsWith('.') || name.endsWith('.part')) continue;
    const path = join(folder, 'in', name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) continue;
    const state = `${found.size} ${found.mtimeMs}`;
    if (seen.get(path) === state) ready.push(name);
    seen.set(path, state);
  }
  return ready.sort();
}

/** Imports a file and moves it away; says what came of it. `null`: the server could not be asked, or will take it later. */
async function takeIn(client: BankClient, folder: string, name: string): Promise<string | null> {
  const path = join(folder, 'in', name);
  const stamped = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${name}`;
  const move = async (to: 'done' | 'failed', report: string): Promise<void> => {
    await writeFile(join(folder, to, `${stamped}.json`), report, { mode: 0o600 });
    await rename(path, join(folder, to, stamped));
  };
  try {
    const document = await importedDocument(client, path, () => undefined);
    await move('done', `${JSON.stringify(document, null, 2)}\n`);
    return `done  ${name}  ${document.statements_count} statements`;
  } catch (error) {
    if (!(error instanceof BursarError) || isPassing(error)) return null;
    await move('failed', `${JSON.stringify({ error: error.detail })}\n`);
    return `FAILED  ${name}  ${error.message}`;
  }
}

/** Whether the same file may be taken in a while. */
const isPassing = ({ status }: BursarError): boolean => status >= 500 || [408, 409, 429].includes(status);

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

/** Written to the disk before it returns. */
async function writeDurably(path: string, bytes: Buffer | string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
