/**
 * Exports to be killed, raced and counted: a server with money, a bank account and payouts, and what its bank would get by the bytes that
 * leave. Small: `test/long/small/export.test.ts`. At full size and with limits in milliseconds: `test/long/export.test.ts`.
 */
import { createHash } from 'node:crypto';
import type { StopPoint } from '../../../src/platform/workers/stop-points.ts';
import { createDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import type { Client, Json } from '../harness/http.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { BANK_ACCOUNT, createTenant, must, type Tenant } from '../harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import { readPain001 } from './payment-files.ts';

/** Payouts of an export that is killed; a claim takes ten. */
export const EACH = 40;
export const CLAIMS = EACH / 10;
const PAYOUTS_AT_ONCE = 500;
const LEASE_OF_ANOTHER = `INSERT INTO worker_leases (worker, owner, expires_at)
  VALUES ('payment_files', gen_random_uuid(), now() + interval '1 hour')`;

/** A place where a server dies, and how it then leaves the newest file. `null`: there is none. */
export interface Step {
  readonly point: StopPoint;
  /** The so-manieth time. */
  readonly time: number;
  readonly left: { readonly status: string; readonly payouts: number } | null;
}
const claiming = (payouts: number) => ({ status: 'claiming', payouts });

/**
 * From the request to the sealed file: each place where something has just been done, and something is left to do. Which of the claims
 * is killed: `claim`, from 1.
 */
export const stepsOf = (claim: number): Readonly<Record<string, Step>> => ({
  asked: { point: 'batch.decided', time: 1, left: null },
  opened: { point: 'payment_file.opened', time: 1, left: claiming(0) },
  claiming: { point: 'payment_file.claimed', time: claim, left: claiming(10 * claim) },
  'being sealed': { point: 'payment_file.written', time: 1, left: claiming(EACH) },
  sealed: { point: 'payment_file.sealed', time: 1, left: { status: 'sealed', payouts: EACH } },
});

/** A file that the service holds, as its table says. */
interface HeldFile {
  readonly id: string;
  readonly status: string;
  readonly payouts: number;
}

export interface Outcome {
  /** How often each payout is in a sealed file, by the id that goes to the bank. */
  readonly seen: ReadonlyMap<string, number>;
  readonly complaints: readonly string[];
}

export interface Scene {
  readonly databaseUrl: string;
  readonly tenant: Tenant;
  readonly client: Client;
  /** The one that runs now. */
  readonly server: () => ServerProcess;
  /** That many payouts of 1.01 EUR; their ids. */
  pay(count: number): Promise<string[]>;
  cancel(id: string): ReturnType<Client['post']>;
  export(): ReturnType<Client['post']>;
  newestFile(): Promise<HeldFile | null>;
  /** Resolves when no file is being filled. */
  settled(): Promise<void>;
  /** What the bank would get. */
  whatLeft(): Promise<Outcome>;
  /** After a kill, without waiting until the leases of the dead server are over. Held: no file is filled before `letFill`. */
  restart(options?: { readonly held?: boolean }): Promise<void>;
  letFill(): Promise<void>;
  end(): Promise<void>;
}

export async function startScene(): Promise<Scene> {
  const database = await createDatabase();
  const start = () => startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  let server = await start();
  const tenant = await createTenant(database.url, server.address);
  const { client } = tenant;
  const account = await tenant.account('EUR', '10000000');
  const recipient = await tenant.recipient();
  must(await client.post('/v1/bank_accounts', BANK_ACCOUNT));

  const filesUnderWay = async () => {
    const underWay = "SELECT id FROM payment_files WHERE status IN ('claiming', 'abandoning')";
    return (await rowsOf<{ id: string }>(database.url, underWay)).length;
  };
  return {
    databaseUrl: database.url,
    tenant,
    client,
    server: () => server,
    async pay(count) {
      const ids: string[] = [];
      while (ids.length < count) {
        const payout = { amount: '1.01', currency: 'EUR', account, recipient };
        const payouts = Array.from({ length: Math.min(PAYOUTS_AT_ONCE, count - ids.length) }, () => payout);
        const { json } = must(await client.post('/v1/payouts/batch', { payouts }));
        ids.push(...(json['results'] as readonly Json[]).map((result) => (result['payout'] as Json)['id'] as string));
      }
      return ids;
    },
    cancel: (id) => client.post(`/v1/payouts/${id}/cancel`, {}),
    export: () => client.post('/v1/payment_files', {}),
    async newestFile() {
      const newest = 'SELECT id, status, payouts_count AS payouts FROM payment_files ORDER BY id DESC LIMIT 1';
      return (await rowsOf<HeldFile>(database.url, newest))[0] ?? null;
    },
    async settled() {
      await eventually('no file is being filled', async () => (await filesUnderWay()) === 0, { patienceMs: 60_000 });
    },
    async whatLeft() {
      const complaints = await auditDatabase(database.url);
      return leftFor(client, complaints);
    },
    async restart({ held = false } = {}) {
      await rowsOf(database.url, 'DELETE FROM worker_leases');
      if (held) await rowsOf(database.url, LEASE_OF_ANOTHER);
      server = await start();
      client.address = server.address;
    },
    async letFill() {
      await rowsOf(database.url, 'DELETE FROM worker_leases');
    },
    async end() {
      client.close();
      await server.kill();
      await database.drop();
    },
  };
}

/** Reads each sealed file as its bank does. */
async function leftFor(client: Client, complaints: string[]): Promise<Outcome> {
  const seen = new Map<string, number>();
  for (let after = ''; ; ) {
    const { json } = must(await client.get(`/v1/payment_files?status=sealed&limit=100${after}`));
    const files = json['data'] as readonly Json[];
    for (const file of files) complaints.push(...(await read(client, file, seen)));
    if (json['has_more'] !== true) return { seen, complaints };
    after = `&starting_after=${files.at(-1)?.['id'] as string}`;
  }
}

/** Adds the payouts of a file to those seen. Returns where the file is not what the service says of it. */
async function read(client: Client, file: Json, seen: Map<string, number>): Promise<string[]> {
  const id = file['id'] as string;
  const complaints: string[] = [];
  const { text } = must(await client.get(`/v1/payment_files/${id}/content`));
  if (createHash('sha256').update(text).digest('hex') !== file['sha256']) complaints.push(`${id} has other bytes`);
  const { head, payments } = readPain001(text);
  const ids = payments.map((payment) => payment['PmtId/EndToEndId'] as string);
  for (const each of ids) seen.set(each, (seen.get(each) ?? 0) + 1);
  const total = payments.reduce((sum, payment) => sum + Math.round(Number(payment['Amt/InstdAmt']) * 100), 0);
  if (total !== file['total_minor'] || ids.length !== file['payouts_count']) complaints.push(`${id} differs`);
  if (head['GrpHdr/NbOfTxs'] !== String(ids.length)) complaints.push(`${id} counts wrongly`);
  return complaints;
}

/** The id of a payout as it goes to the bank. */
export const outgoing = (id: string) => id.replace('_', '').toUpperCase();

/** Payouts that are not in so many files. */
export const wrong = (ids: readonly string[], { seen }: Outcome, times = 1) =>
  ids.filter((id) => (seen.get(outgoing(id)) ?? 0) !== times);

/** Pays, exports, and kills the server exactly there. Returns the payouts, and how the server left its file. */
export async function killedAt(scene: Scene, { point, time }: Step): Promise<{ ids: string[]; left: Step['left'] }> {
  const ids = await scene.pay(EACH);
  const before = await scene.newestFile();
  const { reached } = await scene.server().stopAt(point, time);
  const exported = scene.export().catch(() => null);
  await reached;
  await scene.server().kill();
  await exported;
  const newest = await scene.newestFile();
  await scene.restart();
  await scene.settled();
  if (newest === null || newest.id === before?.id) {
    must(await scene.export()); // the first request is lost with the server
    await scene.settled();
    return { ids, left: null };
  }
  return { ids, left: { status: newest.status, payouts: newest.payouts } };
}
