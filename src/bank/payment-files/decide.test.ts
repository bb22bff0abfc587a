/** Decisions about files for a bank: who enters, who stays, and when a file ends. */
import { describe, it } from 'vitest';
import type { Actor } from '../../core/actor.ts';
import { given } from '../../../test/support/harness/given.ts';
import { apiKey, idAt, PAYOUT, payout, account, recipient } from '../../../test/support/harness/literals.ts';
import {
  BANK,
  bankAccount,
  paymentFile as file,
  FILE,
  INSTRUCTION,
  instruction,
} from '../../../test/support/harness/bank-literals.ts';

const OTHER = idAt('pf', 2);

const plan = {
  bankAccount: BANK,
  route: 'sepa',
  executionOn: '2026-03-16',
  categoryPurpose: null,
  batchBooking: false,
  onlyNamed: false,
  currency: 'EUR',
  payoutsCount: 1,
  total: 1n,
};
const opening = { type: 'open_payment_files', planned: [plan], held: [], shortfalls: [] } as const;
const claim = { type: 'claim_payouts', file: FILE, payouts: [PAYOUT] } as const;
const { amount } = payout();
const sealing = {
  type: 'seal_payment_file',
  file: FILE,
  payoutsCount: 1,
  total: amount,
  sha256: 'ab',
  sizeBytes: 1,
  content: 'x',
} as const;
const full = { payoutsCount: 1, total: amount };

describe('opening', () => {
  it('makes a file', () => void given(bankAccount()).when(opening).thenAccepts({ events: [], transfers: [] }));
  it('answers the one that is being filled', () =>
    void given(bankAccount(), file())
      .when(opening)
      .thenAccepts({ reply: { files: [file()] } }));
  it.each([
    ['another category', { categoryPurpose: 'SALA' }],
    ['another way of booking', { batchBooking: true }],
    ['payouts that name its bank account', { onlyNamed: true }],
  ] as const)(
    'makes one of its own for %s',
    (_, group) =>
      void given(bankAccount(), file())
        .when({ ...opening, planned: [{ ...plan, ...group }] })
        .thenAccepts({ reply: { files: [group] } })
        .when({ ...opening, planned: [{ ...plan, ...group }, plan] })
        .thenAccepts({ reply: { files: [group, { id: FILE }] } }),
  );
  it('refuses a closed bank account and one that is not there', () => {
    given(bankAccount({ status: 'closed' }))
      .when(opening)
      .thenRefuses('bank_account_closed');
    given().when(opening).thenRefuses('resource_missing');
  });
});

describe('a bank account whose exports a statement has stopped', () => {
  const stopped = bankAccount({ onDrift: 'stop_exports', stoppedBy: idAt('bs', 1) });
  const world = [stopped, account(), recipient(), file(), payout()] as const;
  it('opens no file, and takes nothing into one that was begun', () => {
    given(stopped).when(opening).thenRefuses('exports_stopped');
    given(...world)
      .when(claim)
      .thenRefuses('exports_stopped');
    given(stopped, file(full)).when(sealing).thenRefuses('exports_stopped');
  });
  it('gives up a file that was begun', () => {
    given(...world)
      .when({ type: 'abandon_payment_file', file: FILE, makers: [], reason: 'Drift' })
      .thenAccepts({ now: { [FILE]: { status: 'abandoning' } } });
  });
  it('goes on once a person has resumed, who has to be asked for', () => {
    const resuming = { type: 'resume_bank_account', bankAccount: BANK, reason: 'Looked' } as const;
    given(...world)
      .when(resuming)
      .thenAccepts({ now: { [BANK]: { stoppedBy: null } }, events: ['bank_account.exports_resumed'] })
      .when(claim)
      .thenAccepts({ reply: full });
    given(bankAccount()).when(resuming).thenRefuses('exports_not_stopped');
    given().when(resuming).thenRefuses('resource_missing');
  });
});

describe('claiming', () => {
  const world = [account(), recipient(), file()] as const;
  it('takes a pending payout on its way', () =>
    void given(...world, payout())
      .when(claim)
      .thenAccepts({
        reply: full,
        events: ['payout.in_transit'],
        now: { [PAYOUT]: { status: 'in_transit', dueAt: null }, [INSTRUCTION]: { file: FILE, position: 1 } },
      }));
  it.each(['waiting', 'in_transit', 'paid', 'failed', 'canceled', 'returned'] as const)(
    'leaves out one that is %s',
    (status) =>
      void given(...world, payout({ status }))
        .when(claim)
        .thenAccepts({ reply: { payoutsCount: 0 }, events: [] }),
  );
  it('leaves out one of another currency, one that is in a file, and one that is not there', () => {
    given(account(), file({ currency: 'USD' }), payout())
      .when(claim)
      .thenAccepts({ reply: { payoutsCount: 0 } });
    given(...world, payout(), instruction({ file: OTHER }))
      .when(claim)
      .thenAccepts({ reply: { payoutsCount: 0 } });
    given(...world)
      .when(claim)
      .thenAccepts({ reply: { payoutsCount: 0 } });
  });
  it('leaves out one whose category was changed since it was looked at', () => {
    const salary = payout({ categoryPurpose: 'SALA' });
    given(...world, salary)
      .when(claim)
      .thenAccepts({ reply: { payoutsCount: 0 }, events: [] });
    given(account(), recipient(), file({ categoryPurpose: 'SALA' }), salary)
      .when(claim)
      .thenAccepts({ reply: { payoutsCount: 1 } });
  });
  it('leaves out one that names another bank account, and in a file of named ones what names none', () => {
    const named = payout({ bankAccount: BANK });
    const taken = (payouts: number, of: object, one: ReturnType<typeof payout>) =>
      given(account(), recipient(), file(of), one)
        .when(claim)
        .thenAccepts({ reply: { payoutsCount: payouts } });
    taken(1, {}, named);
    taken(1, { onlyNamed: true }, named);
    taken(0, { onlyNamed: true }, payout());
    taken(0, {}, payout({ bankAccount: idAt('ba', 2) }));
  });
  it('takes one again whose file was given up', () =>
    void given(...world, payout(), instruction({ file: OTHER, position: 7, status: 'released' }))
      .when(claim)
      .thenAccepts({ now: { [INSTRUCTION]: { file: FILE, position: 1, status: 'claimed' } } }));
  it('leaves out a held one', () =>
    void given(
      ...world,
      payout({
        release: { status: 'held', reasons: ['new_recipient'], approvalsRequired: 1, approvals: [], rejection: null },
      } as never),
    )
      .when(claim)
      .thenAccepts({ reply: { payoutsCount: 0 }, events: [] }));
  it.each(['sealed', 'abandoning', 'abandoned'] as const)(
    'refuses a file that is %s',
    (status) => void given(file({ status }), payout()).when(claim).thenRefuses('payment_file_state_invalid'),
  );
});

describe('sealing', () => {
  it('stores what was claimed', () =>
    void given(file(full))
      .when(sealing)
      .thenAccepts({ reply: { status: 'sealed' }, events: ['payment_file.sealed'] }));
  it('refuses what does not hold it', () => {
    given(file({ ...full, payoutsCount: 2 }))
      .when(sealing)
      .thenRefuses('payment_file_state_invalid');
    given(file({ ...full, total: amount + 1n }))
      .when(sealing)
      .thenRefuses('payment_file_state_invalid');
  });
  it('happens once', () =>
    void given(file({ ...full, status: 'sealed' }))
      .when(sealing)
      .thenRefuses('payment_file_state_invalid'));
  it('ends an empty file', () =>
    void given(file())
      .when({ ...sealing, payoutsCount: 0, total: 0n })
      .thenAccepts({ reply: { status: 'abandoned' }, events: ['payment_file.abandoned'] }));
});

describe('giving up', () => {
  const maker = idAt('key', 1) as Actor;
  const giveUp = { type: 'abandon_payment_file', file: FILE, makers: [maker], reason: 'Lost' } as const;
  const release = { type: 'release_payouts', file: FILE, payouts: [PAYOUT], isLast: false } as const;
  const keys = [apiKey(1), apiKey(2), apiKey(3)];
  const left = payout({ status: 'in_transit', inTransitAt: 1 });
  it('begins, once', () => {
    given(...keys, file({ ...full, status: 'sealed' }))
      .when(giveUp)
      .thenAccepts({ reply: { status: 'abandoning', reason: 'Lost' } });
    given(file({ ...full, status: 'abandoning' }))
      .when(giveUp)
      .thenAccepts({ reply: { status: 'abandoning' } });
    given(file({ ...full, status: 'abandoned' }))
      .when(giveUp)
      .thenRefuses('payment_file_state_invalid');
  });
  it('of a file that may have reached the bank is for a second person', () => {
    const sealed = file({ ...full, status: 'sealed', createdBy: idAt('key', 2) as Actor });
    for (const actor of [maker, idAt('key', 2) as Actor])
      given(...keys, sealed)
        .when(giveUp, { actor, lineage: [actor] })
        .thenRefuses('approval_by_creator');
    const [id, lineage] = [idAt('key', 4) as Actor, [maker, idAt('key', 4)]];
    given(...keys, apiKey(4, { lineage, confirmedBy: 'cli' }), sealed)
      .when(giveUp, { actor: id, lineage })
      .thenRefuses('approval_by_creator');
    given(...keys, sealed)
      .when(giveUp, { actor: idAt('key', 3) as Actor, lineage: [idAt('key', 3)] })
      .thenAccepts({});
    given(file(full))
      .when(giveUp, { actor: maker, lineage: [maker] })
      .thenAccepts({}); // it was never sealed
    given(...keys, sealed)
      .when({ ...giveUp, makers: null }, { actor: idAt('key', 3) as Actor, lineage: [idAt('key', 3)] })
      .thenRefuses('payment_file_state_invalid'); // and who filled it is not known
  });
  it('is refused once the bank has reported', () =>
    void given(file({ ...full, status: 'sealed', answeredAt: 1 }))
      .when(giveUp)
      .thenRefuses('payment_file_answered'));
  it('sets payouts free', () =>
    void given(file({ ...full, status: 'abandoning' }), left, account(), instruction())
      .when(release)
      .thenAccepts({
        events: ['payout.updated'],
        transfers: [],
        now: { [PAYOUT]: { status: 'pending', inTransitAt: null }, [INSTRUCTION]: { status: 'released' } },
      }));
  it('leaves alone those of other files', () =>
    void given(file({ status: 'abandoning' }), left, instruction({ file: OTHER }))
      .when(release)
      .thenAccepts({ events: [], now: { [PAYOUT]: { status: 'in_transit' } } }));
  it('ends with the last', () =>
    void given(file({ ...full, status: 'abandoning' }))
      .when({ ...release, payouts: [], isLast: true })
      .thenAccepts({ reply: { status: 'abandoned' }, events: ['payment_file.abandoned'] }));
});
