/**
 * Money that came in finds its payment or its account, or waits: 10,000 texts of payers through the reader, the lines and the decision, none
 * of them assigned to what it does not name. A matcher that means well (it repairs, and takes the first) is the control. Pure.
 */
import { describe, expect, it } from 'vitest';
import { camt, type Written } from '../../../test/support/bank/camt.ts';
import { type Known, Payers, type Meant } from '../../../test/support/bank/payers.ts';
import { itemsOf, ofType } from '../../../test/support/bank/read-documents.ts';
import { seeded } from '../../../test/support/generators/seeded.ts';
import { bankAccount, statementHead, wholeStatement } from '../../../test/support/harness/bank-literals.ts';
import {
  account,
  AT,
  BEFORE,
  environment,
  idAt,
  payment,
  paymentLink,
  seededIds,
} from '../../../test/support/harness/literals.ts';
import { apply, State } from '../../core/state.ts';
import { rfReference, depositReference } from '../../core/rails/creditor-reference.ts';
import type { StoredObject } from '../../core/objects.ts';
import { decide } from '../../write/slices.ts';
import type { BankLine } from './booking.ts';
import { lineOf } from '../imports/lines.ts';

const TEXTS = 10_000;
const PER_COMMIT = 100;
const EACH = 8;

const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Payments in all states, and accounts; each reference to what it leads to. The same references each time: the words before one of a hundred make it doubtful. */
function book(): {
  readonly known: Known;
  readonly objects: readonly StoredObject[];
  readonly of: Map<string, string>;
} {
  const chance = seeded(29);
  const newReference = () => rfReference(Array.from({ length: 13 }, () => BASE_32[Math.floor(chance() * 32)]).join(''));
  const objects: StoredObject[] = [];
  const of = new Map<string, string>();
  const foreign = Array.from({ length: EACH }, newReference);
  const otherCurrency: string[] = [];
  const euros = account({ id: idAt('acct', 1_000) });
  const dollars = account({ id: idAt('acct', 1_001), currency: 'USD' });
  objects.push(euros, dollars);
  const states = [
    {},
    { received: 10_000n, status: 'partially_paid' },
    { received: 25_000n, status: 'succeeded' },
    { status: 'failed', failureCode: 'expired' },
  ] as const;
  const links = ['active', 'completed', 'expired', 'canceled'] as const;
  for (let n = 0; n < EACH; n += 1) {
    const link = paymentLink({
      id: idAt('plink', n),
      status: links[n % 4] as 'active',
      account: euros.id,
      openCount: 1,
    });
    const reference = newReference();
    const made = payment({ ...states[n % 4], id: idAt('pay', n), link: link.id, reference, account: euros.id });
    const customer = account({ id: idAt('acct', n) });
    objects.push(link, made, customer);
    of.set(reference, made.id).set(depositReference(customer.id), customer.id);
    const theirs = newReference();
    const link2 = paymentLink({ id: idAt('plink', 500 + n), currency: 'USD', account: dollars.id, openCount: 1 });
    const usd = { currency: 'USD', account: dollars.id, link: link2.id };
    objects.push(link2, payment({ id: idAt('pay', 500 + n), reference: theirs, ...usd }));
    otherCurrency.push(theirs);
  }
  return { known: { own: [...of.keys()], foreign, otherCurrency }, objects, of };
}

type Change = (line: BankLine, meant: Meant) => BankLine;

/** What became of each text: what it should be, and what it was assigned to. */
async function run(change: Change = (line) => line, texts = TEXTS) {
  const { known, objects, of } = book();
  const payers = new Payers(seeded(17), known);
  const results: {
    readonly kind: string;
    readonly text: string;
    readonly wanted: string | null;
    readonly got: string | null;
  }[] = [];
  for (let from = 0; from < texts; from += PER_COMMIT) {
    const meant = Array.from({ length: PER_COMMIT }, (_, n) => payers.next(from + n));
    const entries = meant.map(
      ({ detail }, n): Written => ({ amount: '100.00', reference: `${from + n}`, details: [detail] }),
    );
    const items = ofType(
      await itemsOf(camt([{ iban: 'DE89370400440532013000', day: '2026-03-13', entries }])),
      'entry',
    );
    const state = new State(environment(0n, BEFORE));
    for (const object of [bankAccount({ booksFrom: '2026-03-01' }), ...objects]) state.put(object);
    const lines = items.map((item, n) => change(lineOf(item, n + 1), meant[n] as Meant));
    const command = wholeStatement(statementHead({ entriesCount: PER_COMMIT }), lines);
    const decision = decide(command, state, { atMs: AT, ids: seededIds(AT), actor: 'worker' });
    if (!decision.accepted) throw new Error(decision.refusal.message);
    apply(state, decision.changes, { actor: 'worker', requestId: null, idempotencyKey: null });
    const booked = [...state.tables.bank_entry.values()];
    expect(booked).toHaveLength(PER_COMMIT);
    for (const { explanation, assignments } of booked) {
      const { kind, reference, detail } = meant[Number(explanation.bankReference) - from] as Meant;
      const to = assignments[0]?.to ?? null;
      const paid = to?.startsWith('pay_') === true ? state.tables.payment.get(to) : undefined;
      results.push({
        kind,
        text: JSON.stringify(detail),
        wanted: reference === null ? null : (of.get(reference) as string),
        got: paid?.duplicateOf ?? to,
      });
    }
  }
  return results;
}

const wrongOf = (results: Awaited<ReturnType<typeof run>>) =>
  results.filter(({ got, wanted }) => got !== null && got !== wanted);

describe('10,000 texts of payers', () => {
  it('lead where they say, or wait', async () => {
    const results = await run();
    expect(results).toHaveLength(TEXTS);
    expect(wrongOf(results)).toEqual([]);
    // What is clear is found; a foreign word behind it looks like a part of it once in some thousand.
    const missed = results.filter(({ got, wanted }) => got === null && wanted !== null);
    expect(missed.length, JSON.stringify(missed.slice(0, 5))).toBeLessThan(10);
    expect(results.filter(({ wanted }) => wanted !== null).length).toBeGreaterThan(TEXTS / 5);
  });

  it('control: one that repairs and takes the first is wrong', async () => {
    const plain = (text: string) =>
      text
        .normalize('NFKD')
        .toUpperCase()
        .replaceAll(/[^0-9A-Z]/g, '');
    const results = await run((line, { detail }) => {
      const text = plain([detail.creditorReference ?? '', detail.text ?? ''].flat().join(''));
      const [first = ''] = text.match(/RF[0-9]{2}[0-9A-Z]{13,14}/) ?? [];
      return { ...line, references: first === '' ? [] : [first.slice(0, 17)] };
    }, 1_000);
    expect(wrongOf(results).length).toBeGreaterThan(100);
  });
});
