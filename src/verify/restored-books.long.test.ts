/**
 * Books that came back from a backup file, by the commands of the guide (`docs/guides/operating/backups.md`): `bursar restore` finds no damage
 * in what was going on when the backup was made, nor `bursar verify` in what people do behind it. Control: damage behind a restore is found.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { back, debit, documentedWays, type Ways } from '../../test/support/bank/documented-ways.ts';

const folder = mkdtempSync(join(tmpdir(), 'bursar-restored-'));
const path = (name: string) => join(folder, `${name}.backup`);

let ways: Ways;
beforeAll(async () => {
  ways = await documentedWays();
});
afterAll(async () => {
  await ways?.end();
  rmSync(folder, { recursive: true });
});

const restored = async (name: string) => {
  await ways.restore(path(name));
  await ways.fine(`restored ${name}`);
};
const states = (...payouts: readonly string[]) => Promise.all(payouts.map((payout) => ways.statusOf(payout)));

describe('a payment file on both sides of a restore', () => {
  let [one, two, lost]: string[] = [];
  const since: string[] = [];

  it('is sealed when the backup is made, and what follows is lost', async () => {
    [one = '', two = ''] = await ways.pay(10, 20);
    await ways.bursar(['backup', path('sealed')]);
    await ways.abandoned();
    await ways.exported();
    since.push(await ways.reported(debit(one, '10.00'), back(one, '4.00')));
    [lost = ''] = await ways.pay(30);
    since.push(await ways.reported(debit(lost, '30.00')));
    await ways.fine('before the restore');
    await restored('sealed');
    expect(await states(one, two)).toEqual(['in_transit', 'in_transit']);
    expect((await ways.application().sandbox.client.get(`/v1/payouts/${lost}`)).status).toBe(404);
  });

  it('is given up once more, and its payouts leave again', async () => {
    await ways.abandoned();
    await ways.fine('given up');
    await ways.bursar(['backup', path('given up')]);
    await ways.exported();
    await ways.fine('exported again');
    await restored('given up');
    expect(await states(one ?? '', two ?? '')).toEqual(['pending', 'pending']);
    await ways.exported();
    await ways.fine('exported behind a second restore');
  });

  it('is booked by the statements since the backup, and what nobody knows any more waits', async () => {
    for (const statement of since) {
      await ways.handIn(statement);
      await ways.fine('imported again');
    }
    expect(await states(one ?? '', two ?? '')).toEqual(['returned', 'in_transit']);
    const waiting = `/v1/bank_entries/${await ways.unmatched()}`;
    expect(await ways.get(waiting)).toMatchObject({ amount_minor: 3_000, direction: 'debit' });
    await ways.post(`${waiting}/assign`, { assignments: [{ to: ways.bankAccount().account }], reason: 'Lost payout' });
    await ways.fine('it has its place');
    await ways.bursar(['backup', path('booked')]);
    await restored('booked');
    await ways.reported(debit(two ?? '', '20.00'), back(one ?? '', '6.00'));
    expect(await states(one ?? '', two ?? '')).toEqual(['returned', 'paid']);
    await ways.fine('booked behind a third restore');
  });
});

it('a restore between two others, a reset behind one, and a rehearsal are in order', async () => {
  await ways.bursar(['backup', path('still')]);
  await restored('still');
  await ways.bursar(['backup', path('stiller')]);
  await restored('stiller');
  await ways.post('/v1/test_helpers/restore', { skip: 20 });
  await ways.fine('and rehearsed');
  await ways.bursar(['backup', path('rehearsed')]);
  await restored('rehearsed');
  await ways.post('/v1/test_helpers/reset', {});
  await ways.fine('reset');
  await ways.bursar(['backup', path('reset')]);
  await restored('reset');
  await ways.begin();
  const [payout = ''] = await ways.pay(5);
  await ways.reported(debit(payout, '5.00'));
  await ways.fine('begun anew');
});

describe('damage behind a restore is found', () => {
  it.each([
    ['a restore that nobody noted', 'DELETE FROM restores WHERE ctid = (SELECT max(ctid) FROM restores)'],
    [
      'one that left out fewer events',
      'UPDATE restores SET next_sequence = next_sequence - 1 WHERE ctid = (SELECT max(ctid) FROM restores)',
    ],
    ['an event gone behind it', "DELETE FROM events WHERE type = 'payment_file.sealed'"],
    ['another file', "UPDATE payment_files SET sha256 = repeat('0', 64)"],
  ])('%s', async (_, damage) => expect(await ways.found(damage)).not.toEqual([]));
});
