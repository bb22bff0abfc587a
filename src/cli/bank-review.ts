/** `bursar bank review`: statements of which it is not certain what is new, and what a person says of them. Part of `bank.ts`. */
import { Command } from 'commander';
import type { BankStatement, WaitingEntries } from '../../client/src/bursar.ts';
import { formatMoney } from '../core/values/money.ts';
import { Exit } from '../operator/exit.ts';
import { type BankClient, bankClient } from './bank-client.ts';
import { asking, remote, type RemoteOptions } from './remote/connection.ts';
import { described } from './remote/output.ts';
import { print, say } from './remote/terminal.ts';

export function reviewCommand(): Command {
  const about = 'list statements that wait, with their entries, or say which entries of one are new';
  return remote(described(new Command('review'), about, 'bank review bs_… --reading 1 --reason "Looked at both"'))
    .argument('[bs_…]', 'the statement; by default all that wait are listed')
    .option('--reading <number>', 'it is to be read in this way')
    .option('--new <positions>', 'or these entries of it are new, as 1-3,7; or none')
    .option('--reason <text>', 'why, for the audit log')
    .action(review);
}

interface Options extends RemoteOptions {
  readonly reading?: string;
  readonly new?: string;
  readonly reason?: string;
}

async function review(statement: string | undefined, options: Options): Promise<void> {
  const { reading, new: entries, reason } = options;
  const client = await bankClient(options);
  if (reading === undefined && entries === undefined) return show(client, statement, options);
  if (statement === undefined) throw new Exit('usage', 'Name the statement (bs_…) that is to be read so.');
  const path = `/v1/bank_statements/${encodeURIComponent(statement)}`;
  const said = { ...(reading !== undefined && { reading }), ...(entries !== undefined && { new_entries: entries }) };
  await asking(() => client.post(`${path}/review`, { ...said, ...(reason !== undefined && { reason }) }));
  const after = await asking(() => client.get<BankStatement>(path));
  if (options.json) print(JSON.stringify(after));
  else print(`${after.id}  ${after.status}, ${after.new_count} new of ${after.entries_count}, proof: ${after.proof}`);
}

async function show(client: BankClient, only: string | undefined, { json }: Options): Promise<void> {
  await asking(async () => {
    let count = 0;
    for await (const each of client.all<BankStatement>('/v1/bank_statements?status=needs_review')) {
      if (only !== undefined && each.id !== only) continue;
      count += 1;
      if (json) print(JSON.stringify(each));
      else await showOne(client, each);
    }
    if (count === 0 && !json) say('No statement waits.');
  });
}

async function showOne(client: BankClient, statement: BankStatement): Promise<void> {
  const { id, bank_account: account, starts_on: from, closed_on: to, currency, readings } = statement;
  print(`${id}  ${account}  ${from ?? '–'} to ${to ?? '–'}  ${statement.waiting_count} entries wait`);
  for (const [at, { entries, count }] of readings.entries())
    print(`  reading ${at + 1}: ${count} new${entries === '' ? '' : ` (${entries})`}`);
  for (let after = 0, isMore = true; isMore; ) {
    const path = `/v1/bank_statements/${id}/waiting_entries?limit=1000${after > 0 ? `&after=${after}` : ''}`;
    const page = await client.get<WaitingEntries>(path);
    for (const entry of page.data) {
      const sign = entry.direction === 'credit' ? '+' : '-';
      const money = `${sign}${formatMoney(BigInt(entry.amount_minor), currency)}`;
      print(
        `  ${entry.position}  ${entry.booked_on ?? '–'}  ${money}  ${entry.counterparty.name ?? '–'}  ${entry.text ?? '–'}`,
      );
    }
    after = page.data.at(-1)?.position ?? after;
    isMore = page.has_more && page.data.length > 0;
  }
}
