/** What a dry run answers: nothing in it names what does not exist, and nothing else changes. */
import { expect, it } from 'vitest';
import { newId } from '../core/values/ids.ts';
import type { Change, State } from '../core/state.ts';
import { dryRunBody } from './render.ts';

const [payout, transfer, account] = [newId('po'), newId('trf'), newId('acct')];
const changes = [
  { kind: 'object', isNew: true, object: { object: 'payout', id: payout } },
  { kind: 'transfer', transfer: { id: transfer } },
  { kind: 'object', isNew: false, object: { object: 'account', id: account } },
] as unknown as readonly Change[];
/** Nothing of it is read where no payout has an exchange. */
const STATE = {} as State;

it('says so, leaves out what would be new, and keeps amounts and texts as they are', () => {
  const note = JSON.stringify(`"payout":{ ${payout} "${transfer}"`);
  const body = `{"id":"${payout}","amount":250.00,"account":"${account}","transfer":"${transfer}","metadata":{"note":${note}}}`;
  expect(dryRunBody(body, changes, STATE)).toBe(
    `{"dry_run":true,"id":null,"amount":250.00,"account":"${account}","transfer":null,"metadata":{"note":${note}}}`,
  );
});

it('says so of each payout of a batch', () => {
  const body = `{"id":"pob_1","results":[{"index":0,"status":"created","payout":{"id":"${payout}"}}]}`;
  expect(dryRunBody(body, changes, STATE)).toBe(
    '{"dry_run":true,"id":"pob_1","results":[{"index":0,"status":"created","payout":{"dry_run":true,"id":null}}]}',
  );
});
