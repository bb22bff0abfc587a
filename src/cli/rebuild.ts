/** `bursar rebuild`: begins the daily sums anew. A running server, or the next one, makes them from the transfers. */
import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { forgetSums } from '../reports/summary/sql.ts';
import { withOwner } from './database.ts';
import { described } from './remote/output.ts';
import { say } from './remote/terminal.ts';

export function rebuildCommand(): Command {
  return described(
    new Command('rebuild'),
    'forget the daily sums of GET /v1/summary, and let a server make them anew from the transfers',
    'verify || bursar rebuild',
    'For when bursar verify finds a damage of the kind daily_sum, and no other. Servers may be running. No money and no other table is touched.',
  ).action(async () => {
    await withOwner(loadConfig(), async (client) => {
      await client.query('BEGIN');
      for (const { text, values } of forgetSums(null)) await client.query(text, [...values]);
      await client.query('COMMIT');
    });
    say('The daily sums are gone. A server makes them anew, a million transfers in about a minute.');
  });
}
