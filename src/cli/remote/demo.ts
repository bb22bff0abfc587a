/**
 * `bursar demo`: fills a sandbox with three months of a small company, so that a visitor sees a living dashboard. Through the API alone, with
 * the key that is given; a sandbox in which somebody works is left as it is. What happens in it: `demo-story.ts`.
 */
import { Command } from 'commander';
import type { Bursar } from '../../../client/src/bursar.ts';
import { Exit } from '../../operator/exit.ts';
import { asking, connect, remote, type RemoteOptions } from './connection.ts';
import { COMPANY } from './demo-company.ts';
import { tellStory, WEEKS } from './demo-story.ts';
import { beginWorld } from './demo-world.ts';
import { described, printRows } from './output.ts';
import { print, say, secondsSince, showProgress } from './terminal.ts';

interface DemoOptions extends RemoteOptions {
  readonly reset?: boolean;
}

const NOTE = `The sandbox is emptied first, and its clock goes through the ${WEEKS} weeks before this one. A sandbox that holds more than the first
start made is refused, unless --reset says to empty it. Keys and users stay.`;

export function demoCommand(): Command {
  const about = 'fill a sandbox with three months of a small company';
  const command = described(new Command('demo'), about, 'demo', NOTE);
  return remote(command)
    .option('--reset', 'empty the sandbox first, whatever is in it')
    .action((options: DemoOptions) => demo(options));
}

async function demo(options: DemoOptions): Promise<void> {
  const { bursar, url } = await connect(options);
  const startedMs = performance.now();
  await asking(async () => {
    await refuseUnlessFree(bursar, options.reset === true);
    await fill(bursar);
    const rows = await countsOf(bursar);
    if (options.json === true) print(JSON.stringify(Object.fromEntries(rows)));
    else await printRows(['what', 'how many'], rows);
  });
  say(
    `The sandbox is that of ${COMPANY} now, after ${secondsSince(startedMs)} s. Look at it: ${url}/dashboard/sandbox`,
  );
}

/** Empties the sandbox and tells the story in it. */
export async function fill(bursar: Bursar): Promise<void> {
  const world = await beginWorld(bursar, WEEKS);
  await tellStory(world, (week, monday) => {
    if (process.stderr.isTTY) showProgress(`Week ${week} of ${WEEKS}, from ${monday}`);
    else say(`Week ${week} of ${WEEKS}, from ${monday}`);
  });
  showProgress('');
}

/** What somebody has made, and how much of it the first start makes. */
const MADE_BY_START = { accounts: 3, recipients: 1 };
const kinds = (bursar: Bursar) => ({
  payouts: bursar.payouts,
  accounts: bursar.accounts,
  recipients: bursar.recipients,
  exchanges: bursar.exchanges,
  'payment links': bursar.paymentLinks,
  'expected payments': bursar.expectedPayments,
  'standing orders': bursar.standingOrders,
  'bank accounts': bursar.bankAccounts,
  'webhook endpoints': bursar.webhookEndpoints,
  limits: bursar.limits,
});

/** Before anything is erased. Throws `Exit`. */
async function refuseUnlessFree(bursar: Bursar, mayErase: boolean): Promise<void> {
  const { livemode, merchant, scopes, accounts } = await bursar.me.retrieve();
  const other = 'Take a sandbox key that may do everything: bursar keys create --sandbox';
  if (livemode) throw new Exit('refused', `This key is for live, where nothing is made up. ${other}`);
  if (scopes !== null || accounts !== null)
    throw new Exit('refused', `This key may not do all that happens in the demo. Nothing was changed. ${other}`);
  if (mayErase) return;
  for (const [kind, { list }] of Object.entries(kinds(bursar))) {
    const most = (MADE_BY_START as Readonly<Record<string, number>>)[kind] ?? 0;
    const { data } = await list({ limit: most + 1 }).page();
    if (data.length <= most) continue;
    throw new Exit(
      'refused',
      `The sandbox of ${merchant.name} has ${kind} already, and the demo would erase them. Empty it: bursar demo --reset. Or take a sandbox of its own: bursar keys create --sandbox --merchant demo`,
    );
  }
}

async function countsOf(bursar: Bursar): Promise<[string, number][]> {
  const rows: [string, number][] = [];
  for (const [kind, { list }] of Object.entries(kinds(bursar))) {
    let count = 0;
    for await (const _ of list()) count += 1;
    rows.push([kind, count]);
  }
  return rows;
}
