/**
 * The command line cut off: `bursar payouts batch` killed at random points and run again until it ends, and `bursar listen` killed and
 * stopped while the server is killed too. Every row must be paid once, every event received, in order. Small:
 * `test/long/remote-cli.test.ts`; full: `npm run soak -- batch`, `npm run soak -- listen`. The long form of listening on 24 November
 * 2026: 10,918 events in 378 s, 13 kills of the server, 12 stops, 858 events while the command was away for a minute; none lost, all in
 * order.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, webhooks } from '../../../client/src/bursar.ts';
import { between, seeded } from '../generators/seeded.ts';
import { BUILT, startCli } from '../harness/cli.ts';
import { createDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { builtProgram, freePort, makeKey, startServer } from '../harness/server-process.ts';
import { answers, startReceiver } from '../webhooks/receiver.ts';
import type { Round } from './soaks.ts';

const IBAN = 'DE89370400440532013000';
/** Cuts that are felt; from then on a run is left to end. */
const CUTS = 6;
/** A run may end before its cut. From then on runs are left to end whether or not they felt any. */
const MOST_CUT_RUNS = 12;
const MOST_RUNS = 200;

/** A server with one account, one recipient, and a folder for the settings of the command line. */
async function scene(funds: `${number}`) {
  builtProgram();
  const database = await createDatabase();
  const port = await freePort();
  const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
  const start = () => startServer({ databaseUrl: database.url, port, env });
  const server = { now: await start() };
  const { key } = await makeKey(database.url);
  const bursar = createClient({ url: server.now.address, apiKey: key });
  const account = await bursar.accounts.create({ currency: 'EUR' });
  await bursar.testHelpers.accounts.fund(account.id, { amount: funds });
  const person = { name: 'Ada Lovelace', type: 'individual', currency: 'EUR', country: 'DE', iban: IBAN } as const;
  const recipient = (await bursar.recipients.create(person)).id;
  const folder = mkdtempSync(join(tmpdir(), 'bursar-cuts-'));
  return {
    bursar,
    account: account.id,
    recipient,
    folder,
    env: { BURSAR_URL: server.now.address, BURSAR_KEY: key, XDG_CONFIG_HOME: folder },
    async restart() {
      await server.now.kill();
      server.now = await start();
    },
    async end() {
      await server.now.kill();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Resolves when the file has so many rows, or the run has ended. */
async function rowsIn(file: string, count: number, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.finally(() => (isOver = true));
  const rows = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 2 : 0);
  await eventually(`row ${count} is paid`, () => isOver || rows() >= count, { patienceMs: 60_000 });
}

/** `control`: every run calls itself another one, so that the rows of the one before are paid again. */
export async function cutBatches({
  size,
  seed,
  control,
  most = CUTS,
}: {
  readonly size: number;
  readonly seed: number;
  readonly control: boolean;
  /** Cuts, if the runs feel as many. */
  readonly most?: number;
}): Promise<Round> {
  const chance = seeded(seed);
  const all = await scene('9000000.00');
  try {
    const file = join(all.folder, 'payouts.csv');
    const rows = Array.from({ length: size }, (_, index) => `1.00;${all.recipient};row ${index}`);
    writeFileSync(file, `Betrag;Wer;reference\n${rows.join('\n')}\n`);
    const mapped = ['--map', 'amount=Betrag', '--map', 'recipient=Wer', '--set', 'currency=EUR'];
    let [cuts, code]: [number, number | null] = [0, null];
    for (let runs = 1; code !== 0 && runs <= MOST_RUNS; runs += 1) {
      const named = control ? ['--run', String(runs)] : [];
      const args = ['payouts', 'batch', file, ...mapped, '--yes', '--chunk', String(Math.max(10, size / 50)), ...named];
      rmSync(`${file}.result.csv`, { force: true });
      const run = startCli(args, all.env, BUILT);
      // By rows, so that a busy machine does not cut all runs before their first row; then anywhere in the chunk behind it.
      if (cuts < most && runs <= MOST_CUT_RUNS) {
        await rowsIn(`${file}.result.csv`, between(chance, 1, (size * (cuts + 1)) / (most + 1)), run.ended);
        await sleep(between(chance, 0, 25));
        run.child.kill('SIGKILL');
      }
      const ended = await run.ended;
      code = ended.code;
      if (code === null) cuts += 1;
      else if (code !== 0) return { complaints: [`ended with ${code}: ${ended.stderr}`], counts: {} };
    }
    const paid = new Map<string, number>();
    for await (const { reference } of all.bursar.payouts.list())
      paid.set(reference ?? '', (paid.get(reference ?? '') ?? 0) + 1);
    const wrong = rows.map((_, index) => `row ${index}`).filter((name) => paid.get(name) !== 1);
    const complaints = wrong.map((name) => `${name} was paid ${paid.get(name) ?? 0} times`);
    const { balance } = await all.bursar.accounts.retrieve(all.account);
    if (balance !== 900_000_000 - size * 100) complaints.push(`the balance is ${balance}`);
    return { complaints, counts: { rows: size, cuts } };
  } finally {
    await all.end();
  }
}

/** From so many events on, one of the stops of the command lasts a minute, and events go on meanwhile. */
const LONG = 10_000;
const AWAY_MS = 60_000;

/** `control`: the command line begins anew after a cut instead of where it stopped. */
export async function cutListening({
  size,
  seed,
  control,
  most = CUTS,
}: {
  readonly size: number;
  readonly seed: number;
  readonly control: boolean;
  /** Cuts, spread over the events; more where there are more than 400 events to each. */
  readonly most?: number;
}): Promise<Round> {
  const chance = seeded(seed);
  const all = await scene('1.00');
  const receiver = await startReceiver(answers(200));
  const args = ['listen', '--forward-to', `${receiver.url}/hook`];
  try {
    const first = (await all.bursar.events.list({ limit: 1 }).page()).data[0]?.sequence ?? 0;
    let listening = startCli([...args, '--since', String(first)], all.env, BUILT);
    const begun = () => eventually('it listens', () => listening.output().stderr.includes('signed with'));
    await begun();
    let [cuts, away] = [0, 0];
    const happen = () => all.bursar.testHelpers.accounts.fund(all.account, { amount: '0.01' });
    for (let made = 0; made < size; made += 1) {
      await happen();
      if (made % Math.min(Math.ceil(size / most), 400) !== 5) continue;
      cuts += 1;
      if (cuts % 2 === 1) await all.restart();
      else {
        listening.child.kill(chance() < 0.5 ? 'SIGKILL' : 'SIGTERM');
        await listening.ended;
        for (let missed = 0; missed < 5; missed += 1) await happen();
        if (size >= LONG && away === 0) {
          for (const untilMs = Date.now() + AWAY_MS; Date.now() < untilMs; away += 1) {
            await happen();
            await sleep(50);
          }
        }
        listening = startCli([...args, ...(control ? ['--since', 'now'] : [])], all.env, BUILT);
        await begun();
      }
    }
    const last = (await all.bursar.events.list({ limit: 1 }).page()).data[0]?.sequence ?? 0;
    const sequences = () => receiver.received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);
    // What never comes is told by its number below.
    await eventually('the last event comes', () => sequences().at(-1) === last).catch(() => undefined);
    listening.child.kill('SIGTERM');
    const { code } = await listening.ended;
    const secret = /whsec_\S+/.exec(listening.output().stderr)?.[0] ?? '';
    const complaints = await complaintsAbout(receiver.received, sequences(), { first, last, secret });
    if (code !== 0) complaints.push(`listen ended with ${code}: ${listening.output().stderr}`);
    const kills = Math.ceil(cuts / 2);
    const counts = { cuts, 'kills of the server': kills, 'stops of the command': cuts - kills };
    return { complaints, counts: { events: last - first, ...counts, 'events while it was away for a minute': away } };
  } finally {
    await receiver.stop();
    await all.end();
  }
}

async function complaintsAbout(
  received: readonly {
    readonly body: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  }[],
  sequences: readonly number[],
  { first, last, secret }: { readonly first: number; readonly last: number; readonly secret: string },
): Promise<string[]> {
  const seen = new Set(sequences);
  const lost = Array.from({ length: last - first }, (_, index) => first + 1 + index).filter((each) => !seen.has(each));
  // Killed between the answer and the note of it, an event comes again; it never comes late.
  const late = sequences.filter((each, index) => each < Math.max(...sequences.slice(0, index), 0));
  const forged: string[] = [];
  for (const { body, headers } of received) {
    await webhooks
      .verify(body, headers, secret, { toleranceSeconds: 3_600 })
      .catch((error: Error) => forged.push(error.message));
  }
  return [
    ...lost.map((each) => `event ${each} is lost`),
    ...late.map((each) => `event ${each} came after a later one`),
    ...forged,
  ];
}
