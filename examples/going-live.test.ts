/**
 * The commands of docs/guides/going-live.md and then of its reference, run as they stand there, in order, with a live key, against a server
 * that was really started.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksRunBy } from '../test/support/docs/block-runners.ts';
import { createDatabase, type Database } from '../test/support/harness/database.ts';
import { makeKey, type ServerProcess, startServer } from '../test/support/harness/server-process.ts';
import { auditDatabase } from '../test/support/model/audit.ts';
import { DAY_MS, dayStartMs, isoDay } from '../src/core/values/time.ts';
import { camt } from '../test/support/bank/camt.ts';

type Answer = Readonly<Record<string, unknown>>;

const isTutorial = ({ page }: { readonly page: string }) => page.endsWith('/going-live.md');
const commands = blocksRunBy('examples/going-live.test.ts')
  .toSorted((a, b) => Number(isTutorial(b)) - Number(isTutorial(a)))
  .flatMap(({ block }) => block.text.split('\n\n'));

let database: Database;
let server: ServerProcess;
const variables: Record<string, string> = {};
const answers: Answer[] = [];

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url });
  const { key } = await makeKey(database.url, 'example', true);
  Object.assign(variables, { BURSAR_URL: server.address, BURSAR_KEY: key });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

/** A file is sealed a moment after it was opened: until then it has no content. */
function run(command: string): Answer {
  for (let tries = 0; ; tries += 1) {
    const answer = runOnce(command);
    if (tries === 20 || (answer['error'] as Answer | undefined)?.['code'] !== 'payment_file_state_invalid')
      return answer;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

function runOnce(command: string): Answer {
  const env = { ...process.env, ...variables };
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const out = execFileSync('bash', ['-c', command.replaceAll('curl ', 'curl -sS ')], { env, cwd, encoding: 'utf8' });
  return out.startsWith('<') ? { xml: out } : (JSON.parse(out) as Answer);
}

/** What the commands after it call by name. */
function keepNames(answer: Answer): void {
  const { id, object, reference, data } = answer as Readonly<Record<string, string>>;
  if (object === 'account') variables['ACCOUNT'] = id as string;
  if (object === 'deposit_instructions') variables['REFERENCE'] = reference as string;
  if (object === 'recipient') variables['RECIPIENT'] = id as string;
  const [file] = object === 'payment_file_export' ? (answer['files'] as readonly Record<string, string>[]) : [];
  if (file) Object.assign(variables, { FILE: file['id'], MESSAGE_ID: file['message_id'] });
  if (object === 'payout') variables['PAYOUT'] = id as string;
  if (object === 'payout') variables['END_TO_END_ID'] = (id as string).replace('_', '').toUpperCase();
  const [listed] = (data ?? []) as unknown as readonly Readonly<Record<string, string>>[];
  if (listed?.['object'] === 'bank_statement') variables['STATEMENT'] = listed['id'] as string;
  if (data !== undefined) variables['ENTRY'] = (data as unknown as readonly { id: string }[])[0]?.id as string;
}

/** The bank sends a statement that does not add up. */
async function unclear(): Promise<void> {
  const get = (path: string) =>
    run(`curl $BURSAR_URL${path} -H "Authorization: Bearer $BURSAR_KEY"`)['data'] as Answer[];
  const [[account], [last]] = [get('/v1/bank_accounts'), get('/v1/bank_statements')];
  const held = ((account?.['balance'] as number) / 100).toFixed(2);
  const day = isoDay(dayStartMs(last?.['closed_on'] as string) + DAY_MS);
  const { iban } = (account as Answer)['bank_details'] as { readonly iban: string };
  const body = camt([{ iban, id: 'unclear', day, opening: held, closing: held, entries: [{ amount: '1.00' }] }]);
  const headers = { authorization: `Bearer ${variables['BURSAR_KEY']}`, 'content-type': 'application/xml' };
  const reply = await fetch(`${variables['BURSAR_URL']}/v1/statement_files`, { method: 'POST', headers, body });
  expect(await reply.json()).toMatchObject({ status: 'imported', notes: [expect.stringContaining('needs a review')] });
}

describe.skipIf(spawnSync('bash', ['-c', 'command -v curl']).status !== 0)('the guide', () => {
  it('has commands', () => expect(commands.length).toBeGreaterThanOrEqual(10));

  it.each(commands)('%s', async (command) => {
    if (command.includes('status=needs_review')) await unclear();
    const answer = run(command);
    expect(answer).not.toHaveProperty('error');
    keepNames(answer);
    answers.push(answer);
    expect(await auditDatabase(database.url)).toEqual([]);
  });

  it('ends where it says it does', () => {
    const get = (path: string) => run(`curl $BURSAR_URL${path} -H "Authorization: Bearer $BURSAR_KEY"`);
    expect(answers.filter(({ object }) => object === 'payout').map(({ status }) => status)).toEqual([
      'pending',
      'paid',
      'pending',
      'failed',
    ]);
    const [first] = answers.filter(({ object }) => object === 'payout');
    expect(get(`/v1/payouts/${first?.['id'] as string}`)).toMatchObject({
      status: 'returned',
      failure_code: 'account_closed',
    });
    expect(get(`/v1/payouts/${variables['PAYOUT']}`)).toMatchObject({
      status: 'failed',
      failure_code: 'account_frozen',
    });
    expect(get(`/v1/accounts/${variables['ACCOUNT']}`)).toMatchObject({ balance: 1_050_000 });
    expect(get('/v1/bank_entries?status=unmatched')).toEqual({ data: [] });
    const proofs = (get('/v1/bank_statements')['data'] as readonly Answer[]).map(({ proof }) => proof);
    expect(proofs).toEqual(['failed', 'ok', 'ok', 'ok']);
  });
});
