/**
 * T3: clients spend one account down to zero over two server processes, in every way money leaves it. The short form is
 * `test/soak/race.test.ts`, the long one `npm run soak`. Next: `test/support/model/audit.ts`.
 */
import { auditDatabase, rowsOf } from '../model/audit.ts';
import { createTenant } from '../harness/tenant-fixture.ts';
import { createDatabase, runSql } from '../harness/database.ts';
import type { Json, Reply } from '../harness/http.ts';
import type { Fault } from './fault-injection.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';

const CLIENTS = 64;
/** What is there to be spent. */
export const UNITS = 500;

export interface Race {
  readonly spends: number;
  /** Run on the database before anything is spent; it stays for later races. */
  readonly damage?: string;
  /** Of a control: it is run again, ten times at most, until the fault was felt. Which transactions meet is decided by the machine. */
  readonly until?: (spent: Spent) => boolean;
}
const MOST_ROUNDS = 10;

export interface Spent {
  /** Units that were given out. */
  readonly spent: number;
  readonly complaints: readonly string[];
  /** In which ways money moved. */
  readonly causes: readonly string[];
}

/**
 * Everybody spends at once, on a database and two servers of their own; one race after another, each in a sandbox of
 * its own.
 */
export async function race(races: readonly Race[], fault?: Fault): Promise<Spent[]> {
  const database = await createDatabase();
  const servers: ServerProcess[] = [];
  try {
    const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
    const start = async () => {
      servers.push(await startServer({ databaseUrl: database.url, env, ...(fault && { fault }) }));
    };
    const first = start();
    if (fault !== undefined) await first; // without the lock their first starts would collide
    await Promise.all([first, start()]);
    const all: Spent[] = [];
    let number = 0;
    for (const { damage, until = () => true, ...each } of races) {
      if (damage !== undefined) await runSql(database.url, damage);
      let spent = await spend(database.url, servers, (number += 1), each);
      for (let round = 1; round < MOST_ROUNDS && !until(spent); round++)
        spent = await spend(database.url, servers, (number += 1), each);
      all.push(spent);
    }
    return all;
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await database.drop();
  }
}

async function spend(
  url: string,
  servers: readonly ServerProcess[],
  number: number,
  { spends }: Pick<Race, 'spends'>,
): Promise<Spent> {
  const [one, two] = servers as [ServerProcess, ServerProcess];
  const tenant = await createTenant(url, one.address, `race ${number}`);
  const account = await tenant.account('EUR', String(UNITS));
  const other = await tenant.account('EUR');
  await tenant.account('USD');
  const recipient = await tenant.recipient();

  const payout = { amount: '1', currency: 'EUR', recipient, account };
  const ways: readonly [path: string, body: object, units: (reply: Json) => number][] = [
    ['/v1/payouts', payout, () => 1],
    ['/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: '1', sell_account: account }, () => 1],
    ['/v1/transfers', { from: account, to: other, amount: '1' }, () => 1],
    ['/v1/payouts/batch', { payouts: [payout, payout] }, () => 2],
    ['/v1/payouts/batch', { payouts: [payout, payout, payout], mode: 'partial' }, (r) => r['payouts_count'] as number],
  ];
  const complaints: string[] = [];
  let next = 0;
  let spent = 0;
  const spender = async (client: number) => {
    for (let i = next++; i < spends; i = next++) {
      const [path, body, units] = ways[i % 9] ?? ways[0]!;
      const at = (client % 2 === 0 ? one : two).address;
      const reply = await tenant.client.post(path, body, { at, ...(i % 2 === 0 && { idempotencyKey: `spend-${i}` }) });
      if (reply.status === 200) spent += units(reply.json);
      else if (!isOutOfFunds(reply)) complaints.push(`unexpected answer: ${reply.status} ${reply.text}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => spender(client)));

  const left = (await tenant.client.get(`/v1/accounts/${account}`)).json['balance'];
  tenant.client.close();
  if (spent !== UNITS) complaints.push(`${spent} units were spent`);
  if (left !== 0) complaints.push(`the balance is ${JSON.stringify(left)}`);
  const causes = await rowsOf<{ cause: string }>(url, 'SELECT DISTINCT cause FROM transfers');
  return {
    spent,
    complaints: [...complaints, ...(await auditDatabase(url))],
    causes: causes.map(({ cause }) => cause),
  };
}

/** No funds, and nothing but no funds. */
function isOutOfFunds({ status, json }: Reply): boolean {
  const { code, errors } = json['error'] as { code: string; errors?: readonly { code: string }[] };
  if (status !== 400) return false;
  return (
    code === 'balance_insufficient' ||
    (code === 'batch_invalid' && errors?.every((each) => each.code === 'balance_insufficient') === true)
  );
}
