/**
 * Why a payout is where it is: from what the API shows follow these reasons. And the page has every reason, in the same
 * words, and no other.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Facts, type ReasonName, REASONS, reasonsOf } from './why-reasons.ts';

const PAYOUT: Facts['payout'] = {
  id: 'po_1',
  livemode: true,
  status: 'pending',
  amount_minor: 25_000,
  fees: [],
  currency: 'EUR',
  account: 'acct_1',
  speed: 'standard',
  scheduled_on: null,
  wait_until_on: null,
  transfer: 'trf_1',
  failure_message: null,
  release: null,
  bank_reason: null,
  accepted_at: null,
  payee_check: null,
};
const BANK: NonNullable<Facts['bank']> = {
  id: 'ba_1',
  calendar: 'target',
  holidays: [],
  cut_off: '14:30',
  time_zone: 'Europe/Berlin',
  exports: 'by_hand',
  exports_stopped_by: null,
};
const FILE: NonNullable<Facts['file']> = {
  id: 'pf_1',
  status: 'sealed',
  execution_on: '2026-11-23',
  answered_at: null,
};
const RELEASE: NonNullable<Facts['payout']['release']> = {
  status: 'held',
  reasons: ['new_recipient', 'lim_1'],
  approvals_required: 2,
  approvals: [{ actor: 'key_1', at: 1 }],
  rejection: null,
  changed_by: [],
  fingerprint: '25000.EUR.rcp_1.1',
};
const FEE = {
  fee_rule: 'fee_1',
  amount: '1.00',
  amount_minor: 100,
  currency: 'EUR',
  transfer: null,
  reversal: null,
} as const;

/** A payout that may leave with the next export, but for what is said. */
const facts = (payout: Partial<Facts['payout']>, more: Partial<Facts> = {}): Facts => ({
  payout: { ...PAYOUT, ...payout },
  today: '2026-11-24',
  rules: { frozen: false, pending_changes: null },
  limits: [],
  account: { id: 'acct_1', balance: 0, status: 'open' },
  older: [],
  bank: BANK,
  file: undefined,
  unpayable: null,
  entries: [],
  ...more,
});
const FROZEN = { rules: { frozen: true, pending_changes: null } } as const;
const ASKED = { actors: ['key_1', 'key_2'], at: 1, approvals_required: 1, approvals: [], fingerprint: 'seen' } as const;
const asked = (changes: object, frozen = true): Partial<Facts> => ({
  rules: { frozen, pending_changes: { changes, ...ASKED } },
});
const WAITS = { status: 'waiting', transfer: null, wait_until_on: '2026-12-24' } as const;
const LEFT = { status: 'in_transit' } as const;
const DIFFERS = { result: 'close_match', name: 'Ada King' } as const;
const file = (more: Partial<typeof FILE>) => ({ file: { ...FILE, ...more } });
const bank = (more: Partial<typeof BANK>) => ({ bank: { ...BANK, ...more } });

const CASES: readonly (readonly [string, Facts, readonly ReasonName[]])[] = [
  ['money is missing', facts(WAITS), ['funds_missing']],
  ['an older one waits first', facts(WAITS, { older: [{ id: 'po_0', amount_minor: 1, fees: [] }] }), ['older_first']],
  [
    'its account is closed',
    facts(WAITS, { account: { id: 'acct_1', balance: 0, status: 'closed' } }),
    ['account_closed'],
  ],
  ['its money is there', facts(WAITS, { account: { id: 'acct_1', balance: 25_000, status: 'open' } }), ['worker_next']],
  ['money is missing, and payouts are frozen', facts(WAITS, FROZEN), ['frozen', 'funds_missing']],
  ['the key sees no account', facts(WAITS, { account: undefined }), []],
  ['payouts are frozen', facts({}, FROZEN), ['frozen']],
  ['frozen and held', facts({ release: RELEASE }, FROZEN), ['frozen', 'held']],
  ['frozen, and somebody asked to end it', facts({}, asked({ frozen: false })), ['unfreeze_unapproved']],
  ['frozen, and somebody asked for something else', facts({}, asked({ approvals_required: 1 })), ['frozen']],
  [
    'held by a rule that somebody asked to loosen',
    facts({ release: RELEASE }, asked({ hold_new_recipients_hours: 0 }, false)),
    ['held', 'rule_unapproved'],
  ],
  [
    'held by a limit alone, and somebody asked to loosen a rule',
    facts({ release: { ...RELEASE, reasons: ['lim_1'] } }, asked({ hold_new_recipients_hours: 0 }, false)),
    ['held'],
  ],
  [
    'held by a limit that somebody asked to delete',
    facts({ release: RELEASE }, { limits: [{ id: 'lim_1', pending_deletion: ASKED }] }),
    ['held', 'limit_unapproved'],
  ],
  [
    'held by a limit that stays',
    facts({ release: RELEASE }, { limits: [{ id: 'lim_1', pending_deletion: null }] }),
    ['held'],
  ],
  ['approved', facts({ release: { ...RELEASE, status: 'approved' } }), ['export_by_hand']],
  ['of a later day', facts({ scheduled_on: '2026-11-25' }), ['scheduled']],
  ['of today', facts({ scheduled_on: '2026-11-24' }), ['export_by_hand']],
  ['in a sandbox', facts({ livemode: false }, { bank: undefined }), ['sandbox_step']],
  ['no bank account', facts({}, { bank: null }), ['no_bank_account']],
  ['the key sees no bank account', facts({}, { bank: undefined }), []],
  ['exports are stopped', facts({}, bank({ exports_stopped_by: 'bs_1' })), ['exports_stopped']],
  ['no route', facts({}, { unpayable: 'No route leads there.' }), ['not_payable']],
  ['exports before the cut-off', facts({}, bank({ exports: 'before_cut_off' })), ['export_before_cut_off']],
  ['an instant one', facts({ speed: 'instant' }, bank({ exports: 'before_cut_off' })), ['worker_next']],
  ['the file is written', facts(LEFT, file({ status: 'claiming' })), ['file_filling']],
  [
    'the file waits for a person',
    facts(LEFT, { ...file({ status: 'claiming' }), ...bank({ exports_stopped_by: 'bs_1' }) }),
    ['exports_stopped'],
  ],
  ['the file is given up', facts(LEFT, file({ status: 'abandoning' })), ['file_given_up']],
  ['no report', facts(LEFT, file({})), ['file_unanswered']],
  ['a report', facts(LEFT, file({ answered_at: 1 })), ['debit_unbooked']],
  ['a payee of another name', facts({ ...LEFT, payee_check: DIFFERS }, file({ answered_at: 1 })), ['payee_differs']],
  [
    'the same, and the bank accepted it',
    facts({ ...LEFT, payee_check: DIFFERS, accepted_at: 1 }, file({ answered_at: 1 })),
    ['debit_unbooked'],
  ],
  // The 24th is the fifth business day behind the 17th.
  ['four days of silence', facts(LEFT, { ...file({ execution_on: '2026-11-18' }) }), ['file_unanswered']],
  ['five days of silence', facts(LEFT, { ...file({ execution_on: '2026-11-17' }) }), ['overdue']],
  ['under way in a sandbox', facts({ ...LEFT, livemode: false }, { file: null }), ['sandbox_step']],
  ['the file is not known', facts(LEFT, { file: null }), []],
  [
    'an entry contradicts it',
    facts(LEFT, { ...file({}), entries: [{ id: 'be_1', conflict: 'Payout po_1 is over 1.' }] }),
    ['entry_unmatched', 'file_unanswered'],
  ],
  ['paid', facts({ status: 'paid' }), ['paid']],
  ['failed', facts({ status: 'failed', failure_message: 'No account.' }), ['failed']],
  ['never funded', facts({ ...WAITS, status: 'failed' }), ['unfunded']],
  ['canceled', facts({ status: 'canceled' }), ['canceled']],
  [
    'rejected',
    facts({
      status: 'canceled',
      release: { ...RELEASE, status: 'rejected', rejection: { actor: 'key_2', at: 2, reason: 'not ours' } },
    }),
    ['rejected'],
  ],
  ['returned', facts({ status: 'returned', failure_message: 'Closed.' }), ['returned']],
];

describe('reasons', () => {
  it('have the words of the bank beside ours', () => {
    const said = { bank_reason: { code: 'AC04', text: 'Konto erloschen' }, failure_message: 'It is closed.' };
    const [failed] = reasonsOf(facts({ status: 'failed', ...said }));
    expect(failed?.waits).toContain('It is closed. The bank says: AC04, Konto erloschen.');
    const [differs] = reasonsOf(facts({ ...LEFT, payee_check: DIFFERS }, file({ answered_at: 1 })));
    expect(differs?.waits).toContain('close_match. The account is of Ada King.');
  });
  it.each(CASES)('%s', (_what, given, expected) => {
    const reasons = reasonsOf(given);
    expect(reasons.map(({ reason }) => reason)).toEqual(expected);
    for (const { waits, next } of reasons) expect(`${waits} ${next}`).not.toMatch(/[{}]|undefined|null| {2}/);
  });
  it('are each in a case', () => {
    const covered = new Set(CASES.flatMap(([, , names]) => names));
    expect(Object.keys(REASONS).filter((name) => !covered.has(name as ReasonName))).toEqual([]);
  });
  it('say ids, amounts and the next command', () => {
    expect(
      reasonsOf(facts({ ...WAITS, fees: [FEE] }, { account: { id: 'acct_1', balance: 5, status: 'open' } })),
    ).toEqual([
      {
        reason: 'funds_missing',
        waits: 'Account acct_1 holds 0.05 EUR, and the payout needs 251.00 EUR, its fees included.',
        next: 'Add money to the account. The payout goes on by itself. If no money comes until 2026-12-24, it fails.',
      },
    ]);
    const [large, other] = [
      { id: 'po_0', amount_minor: 100_000, fees: [FEE] },
      { id: 'po_00', amount_minor: 1, fees: [] },
    ];
    expect(reasonsOf(facts(WAITS, { older: [large, other] }))).toMatchObject([
      {
        waits:
          'Older payouts of account acct_1 come first (2); the oldest is po_0, of 1000.00 EUR. With this one they need 1251.01 EUR, and it holds 0.00 EUR.',
      },
    ]);
    expect(reasonsOf(facts({ release: RELEASE }))).toEqual([
      {
        reason: 'held',
        waits: 'It is held for approval (new_recipient, lim_1). 1 of 2 approvals are there.',
        next: 'Look at it. Then approve it with another key: bursar payouts approve po_1 fingerprint=25000.EUR.rcp_1.1',
      },
    ]);
  });
});

describe('the page', () => {
  const page = readFileSync('docs/guides/stuck-payout.md', 'utf8');
  const IDS: Readonly<Record<string, string>> = {
    account: 'acct_…',
    bank_account: 'ba_…',
    entry: 'be_…',
    file: 'pf_…',
    limit: 'lim_…',
    oldest: 'po_…',
    payout: 'po_…',
    statement: 'bs_…',
  };
  const onPage = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_whole, word: string) => IDS[word] ?? '…');
  /** First and last cell of each row of the tables of reasons. */
  const rowsIn = (markdown: string) =>
    markdown
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (?:what|status|\[)/.test(line))
      .map((line) => {
        const cells = line.replaceAll('`', '').split(' | ');
        return `${cells[0]?.replace('| ', '')} → ${cells[2]?.replace(/ \|$/, '')}`;
      });
  const expected = Object.values(REASONS).map(({ waits, next }) => `${onPage(waits)} → ${onPage(next)}`);

  it('has every reason that the command can print, in its words, and no other', () => {
    expect(rowsIn(page).toSorted()).toEqual(expected.toSorted());
  });
  it('control: another word on the page is seen', () => {
    expect(rowsIn(page.replace('It was canceled.', 'It was cancelled.')).toSorted()).not.toEqual(expected.toSorted());
  });
});
