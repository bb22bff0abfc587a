/** `bursar bank reconcile`: the report of a month of a bank account, for people, for spreadsheets, or to be signed. Part of `bank.ts`. */
import { Command } from 'commander';
import type { Reconciliation } from '../../client/src/bursar.ts';
import { majorOf } from '../core/values/money.ts';
import { bankClient } from './bank-client.ts';
import { asking, remote, type RemoteOptions } from './remote/connection.ts';
import { described } from './remote/output.ts';
import { print, printFile, printTable } from './remote/terminal.ts';

export function reconcileCommand(): Command {
  const about = 'what a bank account comes to in a month, and what proves it';
  return remote(described(new Command('reconcile'), about, 'bank reconcile ba_… 2026-11 --sign'))
    .argument('<ba_…>', 'the bank account')
    .argument('<month>', 'such as 2026-11')
    .option('--sign', 'keep the hash of the report in the audit log, in your name')
    .option('--csv', 'as CSV, for spreadsheets')
    .action(reconcile);
}

interface Options extends RemoteOptions {
  readonly sign?: boolean;
  readonly csv?: boolean;
}

async function reconcile(account: string, month: string, options: Options): Promise<void> {
  const client = await bankClient(options);
  const base = `/v1/bank_accounts/${encodeURIComponent(account)}/reconciliation`;
  const path = `${base}?month=${encodeURIComponent(month)}`;
  if (options.sign) {
    const { sha256 } = await asking(() => client.get<Reconciliation>(path));
    await asking(() => client.post(`${base}/sign`, { month, sha256 }));
  }
  if (options.csv) return printFile(await asking(() => client.download(`${path}&format=csv`)));
  const report = await asking(() => client.get<Reconciliation>(path));
  if (options.json) print(JSON.stringify(report));
  else await show(report);
}

async function show(report: Reconciliation): Promise<void> {
  const major = (minor: number) => majorOf(BigInt(minor), report.currency);
  const net = ({ in_minor: came, out_minor: went }: Reconciliation['places']['fees']) => major(came - went);
  const { unmatched, in_transit: inTransit, proof, signature } = report;
  const rows = [
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
  ];
  const head = [`${report.month}, ${report.status}`, 'count', report.currency];
  await printTable(head, rows, ['left', 'right', 'right']);
  const difference = proof.closing?.difference_minor ? `, ${major(proof.closing.difference_minor)}` : '';
  const state = signature?.is_current === true ? 'signed' : 'signed, and changed since';
  const signed = signature === null ? 'not signed' : `${state} by ${signature.signed_by ?? 'somebody'}`;
  print(`proof: ${proof.status}${difference}`);
  print(`sha256: ${report.sha256}, ${signed}`);
}
