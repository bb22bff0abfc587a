/** `bursar bank reconcile`: the report of a month of a bank account, for people, for spreadsheets, or to be signed. Part of `bank.ts`. */
import Table from 'cli-table3';
import { Command } from 'commander';
import { fromMinor } from '../../client/src/money.ts';
import { bankClient } from './bank-client.ts';
import { asking, remote, type RemoteOptions } from './remote/connection.ts';
import { type Json, print } from './remote/output.ts';

export function reconcileCommand(): Command {
  return remote(new Command('reconcile').description('what a bank account comes to in a month, and what proves it'))
    .argument('<ba_…>', 'the bank account')
    .argument('<month>', 'such as 2026-11')
    .option('--sign', 'keep the hash of the report in the audit log, in your name')
    .option('--csv', 'as CSV, for spreadsheets')
    .addHelpText('after', '\nExample:\n  bursar bank reconcile ba_… 2026-11 --sign')
    .action(reconcile);
}

interface Options extends RemoteOptions {
  readonly sign?: boolean;
  readonly csv?: boolean;
}

interface Shown {
  readonly currency: string;
  readonly status: string;
  readonly opening_balance: number;
  readonly closing_balance: number;
  readonly in: Counted;
  readonly out: Counted;
  readonly places: Readonly<Record<string, Sides>>;
  readonly unmatched: { readonly opening: Sides; readonly closing: Sides; readonly entries_count: number };
  readonly in_transit: Counted;
  readonly proof: { readonly status: string; readonly closing: { readonly difference: number } | null };
  readonly sha256: string;
  readonly signature: { readonly is_current: boolean; readonly signed_by: string | null } | null;
}
interface Counted {
  readonly count: number;
  readonly amount_minor: number;
}
interface Sides {
  readonly in_minor: number;
  readonly out_minor: number;
}

async function reconcile(account: string, month: string, options: Options): Promise<void> {
  const client = await bankClient(options);
  const base = `/v1/bank_accounts/${encodeURIComponent(account)}/reconciliation`;
  const path = `${base}?month=${encodeURIComponent(month)}`;
  if (options.sign) {
    const { sha256 } = await asking(() => client.get(path));
    await asking(() => client.post(`${base}/sign`, { month, sha256 }));
  }
  if (options.csv) return void process.stdout.write(await asking(() => client.download(`${path}&format=csv`)));
  const report = await asking(() => client.get(path));
  print(options.json ? JSON.stringify(report) : tableOf(report));
}

function tableOf(json: Json): string {
  const report = json as unknown as Shown;
  const major = (minor: number) => fromMinor(minor, report.currency);
  const net = ({ in_minor: came, out_minor: went }: Sides) => major(came - went);
  const table = new Table({
    head: [`${json['month'] as string}, ${report.status}`, 'count', report.currency],
    colAligns: ['left', 'right', 'right'],
    style: { head: [], border: [] },
  });
  const { unmatched, in_transit: inTransit, proof, signature } = report;
  table.push(
    ['opening balance', '', major(report.opening_balance)],
    ['in', report.in.count, major(report.in.amount_minor)],
    ['out', report.out.count, major(-report.out.amount_minor)],
    ['closing balance', '', major(report.closing_balance)],
    ...Object.entries(report.places)
      .filter(([, { in_minor: came, out_minor: went }]) => came !== 0 || went !== 0)
      .map(([place, sides]) => [`  ${place.replaceAll('_', ' ')}`, '', net(sides)]),
    ['without a place, at first', '', net(unmatched.opening)],
    ['without a place, in the end', unmatched.entries_count, net(unmatched.closing)],
    ['payouts on their way', inTransit.count, major(inTransit.amount_minor)],
  );
  const difference =
    proof.closing === null || proof.closing.difference === 0 ? '' : `, ${major(proof.closing.difference)}`;
  const state = signature?.is_current === true ? 'signed' : 'signed, and changed since';
  const signed = signature === null ? 'not signed' : `${state} by ${signature.signed_by ?? 'somebody'}`;
  return [table.toString(), `proof: ${proof.status}${difference}`, `sha256: ${report.sha256}, ${signed}`].join('\n');
}
