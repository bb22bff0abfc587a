/** `bursar stats`: where an environment stands, on one screen: money, payouts under way, what waits, the newest event, receivers. */
import { Command } from 'commander';
import { fromMinor } from '../../../client/src/money.ts';
import type { Bursar } from '../../../client/src/bursar.ts';
import { asking, connect, remote, type RemoteOptions } from './connection.ts';
import { described, printRows } from './output.ts';
import { print } from './terminal.ts';

/** More are counted as "10000+": reading on would take long. */
const MOST_COUNTED = 10_000;

export function statsCommand(): Command {
  const about = 'where the environment stands: balances, payouts under way, receivers';
  return remote(described(new Command('stats'), about, 'stats --json')).action(async (options: RemoteOptions) => {
    const { bursar } = await connect(options);
    const stats = await asking(() => read(bursar));
    if (options.json === true) return print(JSON.stringify(Object.fromEntries(stats)));
    await printRows(['what', 'count'], stats);
  });
}

async function read(bursar: Bursar): Promise<(readonly [string, unknown])[]> {
  const { currencies } = await bursar.balances.retrieve();
  const newest = (await bursar.events.list({ limit: 1 }).page()).data[0];
  const status = async (word: 'waiting' | 'pending' | 'in_transit') =>
    [`payouts ${word}`, await counted(bursar.payouts.list({ status: word }))] as const;
  return [
    ...currencies.map(({ currency, balance }) => [`balance ${currency}`, fromMinor(balance, currency)] as const),
    await status('waiting'),
    await status('pending'),
    await status('in_transit'),
    ['endpoints enabled', await counted(bursar.webhookEndpoints.list({ status: 'enabled' }))],
    ['endpoints disabled', await counted(bursar.webhookEndpoints.list({ status: 'disabled' }))],
    ['events', newest?.sequence ?? 0],
  ];
}

async function counted(list: AsyncIterable<unknown>): Promise<number | string> {
  let count = 0;
  for await (const _ of list) {
    count += 1;
    if (count > MOST_COUNTED) return `${MOST_COUNTED}+`;
  }
  return count;
}
