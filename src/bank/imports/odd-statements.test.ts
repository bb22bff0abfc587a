/** Statements that are odd as a whole, as banks send them: on pages of a message, in pages that repeat balances, empty. */
import { describe, expect, it } from 'vitest';
import { camt, type WrittenStatement } from '../../../test/support/bank/camt.ts';
import { MemoryBank } from '../../../test/support/bank/memory-bank.ts';
import { zipOf } from '../../../test/support/bank/read-documents.ts';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';

const IBAN = 'DE89370400440532013000';
const statement = (said: Partial<WrittenStatement>): WrittenStatement => ({
  iban: IBAN,
  day: '2026-03-02',
  opening: '10.00',
  closing: '12.00',
  entries: [{ amount: '2.00' }],
  ...said,
});

describe('on page 2 of a message', () => {
  const file = (said: Partial<WrittenStatement>, page = 2): string =>
    camt([statement(said)]).replace(
      '</MsgId>',
      `</MsgId><MsgPgntn><PgNb>${page}</PgNb><LastPgInd>true</LastPgInd></MsgPgntn>`,
    );

  it.each([
    ['OPBD', 'CLBD'],
    ['PRCD', 'CLBD'],
  ] as const)('a statement with %s and %s is whole: its account begins with it', async (...codes) => {
    const bank = new MemoryBank();
    await bank.import(file({ codes }));
    expect(bank.statements).toMatchObject([{ page: null, proof: 'ok', newCount: 1, opening: 1_000n, closing: 1_200n }]);
  });

  it.each([
    ['interim balances', { codes: ['ITBD', 'CLBD'] }],
    ['no balance at its end', { closing: undefined }],
    ['a page of its own', { page: 2 }],
  ] as const)('a statement with %s is a part of one that begins elsewhere', async (_, said) => {
    const bank = new MemoryBank();
    await expect(bank.import(file(said as Partial<WrittenStatement>))).rejects.toMatchObject({
      code: 'bank_statement_incomplete',
    });
    expect(bank.entries).toEqual([]);
  });

  it('a statement that began on page 1 goes on', async () => {
    const bank = new MemoryBank();
    await bank.import(file({ codes: ['OPBD', 'ITBD'] }, 1));
    await bank.import(file({ codes: ['ITBD', 'CLBD'], opening: '12.00', closing: '14.00' }));
    expect(bank.statements.map(({ page, proof }) => [page, proof])).toEqual([
      [1, 'ok'],
      [2, 'ok'],
    ]);
    expect(bank.state.tables.bank_account.get(bankAccount().id)?.balance).toBe(1_400n);
  });
});

describe('empty, of an account that is not clear', () => {
  const empty = (said: Partial<WrittenStatement>) =>
    statement({ opening: undefined, closing: undefined, entries: [], ...said } as Partial<WrittenStatement>);
  const whole = statement({});
  const unknown = { iban: 'DE02120300000000202051' };
  const withoutCurrency = (file: string) => file.replaceAll('<Ccy>EUR</Ccy>', '');
  const several = () =>
    new MemoryBank([bankAccount(), bankAccount({ id: 'ba_01jd3v9q4ng8v8k3w2m6r5t7xb', currency: 'USD' })]);

  it.each([
    ['before', [empty(unknown), whole]],
    ['behind', [whole, empty(unknown)]],
    ['between', [whole, empty(unknown), empty({ ...unknown, id: 'T' })]],
  ])('it is skipped with a note, %s a statement that is booked', async (_, statements) => {
    const bank = new MemoryBank();
    const { statementsCount, skippedCount, notes } = await bank.import(camt(statements));
    expect([statementsCount, skippedCount]).toEqual([1, statements.length - 1]);
    expect(notes[0]).toMatch(/ending in 2051, in EUR, which is not known here\..* It is empty, and was skipped\.$/);
    expect(bank.statements).toMatchObject([{ proof: 'ok', newCount: 1 }]);
  });

  it('of several accounts with its number: it is skipped, and one with an amount finds its own', async () => {
    const bank = several();
    const { skippedCount, notes } = await bank.import(withoutCurrency(camt([empty({}), whole])));
    expect([skippedCount, notes.length]).toEqual([1, 1]);
    expect(notes[0]).toMatch(/without its currency, and there are several\. It is empty/);
    expect(bank.statements).toMatchObject([{ currency: 'EUR', newCount: 1 }]);
  });

  it.each([
    ['an entry', { entries: [{ amount: '2.00' }] }],
    ['a pending entry', { entries: [{ amount: '2.00', status: 'PDNG' }] }],
    ['a balance', { closing: '0.00' }],
  ])('with %s it refuses the file, which books nothing', async (_, said) => {
    const bank = new MemoryBank();
    const file = camt([whole, empty({ ...unknown, ...said })]);
    await expect(bank.import(file)).rejects.toMatchObject({ code: 'bank_account_unknown' });
    expect(bank.entries).toEqual([]);
  });
});

describe('pages in several files, of which the first has the opening and the last the closing balance', () => {
  const entries = [{ amount: '2.00' }, { amount: '3.00' }];
  const { opening: _opening, closing: _closing, ...bare } = statement({ id: 'P' });
  const pages: readonly WrittenStatement[] = [
    { ...bare, page: 1, opening: '12.00', entries },
    { ...bare, page: 2, entries: [{ amount: '-1.00' }] },
    { ...bare, page: 3, closing: '24.00', entries: [{ amount: '8.00' }] },
  ].map((each) => ({ ...each, day: '2026-03-03' }));
  const begun = async () => {
    const bank = new MemoryBank([bankAccount({ onDrift: 'stop_exports' })]);
    await bank.import(camt([statement({})]));
    return bank;
  };

  it.each(['123', '132', '213', '231', '312', '321'])('%s: all are booked, and nothing drifts', async (order) => {
    const bank = await begun();
    for (const number of order) await bank.import(camt([pages[Number(number) - 1] as WrittenStatement]));
    expect(bank.statements.map(({ proof }) => proof)).toEqual(['ok', 'none', 'none', 'none']);
    const { balance, stoppedBy } = bank.state.tables.bank_account.get(bankAccount().id) ?? {};
    expect([balance, stoppedBy]).toEqual([2_400n, null]);
  });

  it.each(['123', '321', '231'])(
    'control, %s: with a closing balance that is wrong the last page drifts',
    async (order) => {
      const bank = await begun();
      const wrong = [...pages.slice(0, 2), { ...pages[2], closing: '25.00' }];
      for (const number of order) await bank.import(camt([wrong[Number(number) - 1] as WrittenStatement]));
      expect(bank.statements.find(({ page }) => page === 3)).toMatchObject({ proof: 'drift', difference: 100n });
    },
  );
});

describe('pages that each repeat the balances of the whole statement', () => {
  const page = (number: number, amounts: readonly string[], said: Partial<WrittenStatement> = {}) =>
    statement({ page: number, closing: '16.00', entries: amounts.map((amount) => ({ amount })), ...said });
  const pages = [page(1, ['2.00', '1.00']), page(2, ['1.00']), page(3, ['1.00', '1.00'])];
  const onPages = (...all: readonly WrittenStatement[]) =>
    all.map(({ page: number, ...each }) =>
      camt([each]).replace(
        '</MsgId>',
        `</MsgId><MsgPgntn><PgNb>${number}</PgNb><LastPgInd>false</LastPgInd></MsgPgntn>`,
      ),
    );
  const joined = (files: readonly string[]) => files.join('\n').replaceAll(/<\?xml[^>]*>/g, '');

  it.each([
    ['of one message', camt(pages)],
    ['in documents of their own', joined(pages.map((each) => camt([each])))],
    ['on pages of messages', joined(onPages(...pages))],
    ['in a ZIP', zipOf(pages.map((each, at) => [`${at}.xml`, camt([each])]))],
  ])('%s are one statement, proved over all of them', async (_, file) => {
    const bank = new MemoryBank();
    const document = await bank.import(file);
    expect(bank.statements).toMatchObject([
      { proof: 'ok', entriesCount: 5, newCount: 5, opening: 1_000n, closing: 1_600n },
    ]);
    expect(document).toMatchObject({ statementsCount: 1, skippedCount: 0 });
    expect(bank.state.tables.bank_account.get(bankAccount().id)?.balance).toBe(1_600n);
  });

  it('in files of their own they are pages of one statement, proved at its end', async () => {
    const bank = new MemoryBank();
    for (const each of pages) await bank.import(camt([{ ...each, isLast: each.page === 3 }]));
    expect(bank.statements.map(({ opening, closing, newCount }) => [opening, closing, newCount])).toEqual([
      [1_000n, null, 2],
      [null, null, 1],
      [null, 1_600n, 2],
    ]);
    expect(bank.statements.map(({ proof }) => proof)).toEqual(['none', 'none', 'none']);
    expect(bank.state.tables.bank_account.get(bankAccount().id)?.balance).toBe(1_600n);
  });

  it('in files of their own, with an entry too few, the ledger is not at the closing balance', async () => {
    const bank = new MemoryBank();
    for (const each of [page(1, ['2.00']), { ...page(2, ['3.00']), isLast: true }]) await bank.import(camt([each]));
    expect(bank.statements.map(({ proof }) => proof)).toEqual(['none', 'drift']);
  });

  it('twice: the second time nothing is new', async () => {
    const bank = new MemoryBank();
    await bank.import(camt(pages));
    await bank.import(`${camt(pages)}\n`);
    expect(bank.entries.filter(({ kind }) => kind === 'entry')).toHaveLength(5);
  });

  it('and an entry too few is a proof that fails', async () => {
    const bank = new MemoryBank();
    await bank.import(camt([page(1, ['2.00']), page(2, ['3.00'])]));
    expect(bank.statements).toMatchObject([{ proof: 'failed', difference: 100n, status: 'needs_review' }]);
  });

  it.each([
    ['balances of their own', [page(1, ['2.00'], { closing: '12.00' }), page(2, ['4.00'], { opening: '12.00' })]],
    ['another id', [page(1, []), page(2, ['6.00'], { id: 'T' })]],
    ['another account', [page(1, []), page(2, ['6.00'], { currency: 'USD' })]],
    ['the same number', [page(1, []), page(1, ['6.00'])]],
    ['no number', [statement({ entries: [], closing: '16.00' }), statement({ closing: '16.00' })]],
  ])('control: statements with %s stay two', async (_, statements) => {
    const dollars = { id: 'ba_01jd3v9q4ng8v8k3w2m6r5t7xb', currency: 'USD', booksFrom: '2026-01-01' };
    const bank = new MemoryBank([bankAccount(), bankAccount(dollars)]);
    expect(await bank.import(camt(statements))).toMatchObject({ statementsCount: 2 });
    expect(bank.statements).toHaveLength(2);
  });
});

describe('reports within a day', () => {
  const report = (amounts: readonly string[], closing: string, said: Partial<WrittenStatement> = {}) => {
    const entries = amounts.map((amount) => ({ amount }));
    return camt(
      [statement({ id: `at ${closing}`, codes: ['PRCD', 'ITBD'], openedOn: '2026-03-01', closing, entries, ...said })],
      'camt.052',
    );
  };
  const intraday = () => new MemoryBank([bankAccount({ bookedBy: 'camt.052' })]);

  it.each([
    ['only of what is new, each with the balance of the day before', {}],
    ['of what is new, with a balance at the end only', { opening: undefined, codes: undefined }],
  ])('%s: all is booked once', async (_, different) => {
    const said = different as Partial<WrittenStatement>;
    const bank = intraday();
    for (const each of [report(['2.00'], '12.00'), report(['3.00'], '15.00', said), report(['3.00'], '18.00', said)]) {
      await bank.import(each);
    }
    expect(bank.statements.map(({ proof, newCount }) => [proof, newCount])).toEqual([
      ['ok', 1],
      ['ok', 1],
      ['ok', 1],
    ]);
  });

  it('of all that was booked so far: what is new is booked', async () => {
    const bank = intraday();
    await bank.import(report(['2.00'], '12.00'));
    await bank.import(report(['2.00', '3.00'], '15.00'));
    expect(bank.statements.map(({ proof, newCount }) => [proof, newCount])).toEqual([
      ['ok', 1],
      ['ok', 1],
    ]);
  });
});

it('a page of several days is about the days of its entries, and lies beside the statements of these days', async () => {
  const bank = new MemoryBank();
  const on = (day: string, amount: string, said: Partial<WrittenStatement>) =>
    camt([statement({ day, id: day, entries: [{ amount, day }], ...said })]);
  await bank.import(on('2026-03-02', '2.00', {}));
  await bank.import(on('2026-03-03', '2.00', { opening: '12.00', closing: '14.00' }));
  const week = { id: 'week', day: '2026-03-03', openedOn: '2026-03-02' };
  const entries = ['2026-03-02', '2026-03-03'].map((day) => ({ amount: '2.00', day }));
  await bank.import(camt([statement({ ...week, page: 1, codes: ['OPBD', 'ITBD'], entries: entries.slice(0, 1) })]));
  const last = { opening: '12.00', closing: '14.00', entries: entries.slice(1) };
  await bank.import(camt([statement({ ...week, page: 2, codes: ['ITBD', 'CLBD'], ...last })]));
  expect(bank.statements.map(({ status, newCount }) => [status, newCount])).toEqual([
    ['imported', 1],
    ['imported', 1],
    ['imported', 0],
    ['imported', 0],
  ]);
});

describe('what the bank booked on Saturday, in the statement of Monday and in one of Saturday', () => {
  const on = (day: string, said: Partial<WrittenStatement>) => camt([statement({ day, id: day, ...said })]);
  const friday = on('2026-03-06', {});
  const saturday = on('2026-03-07', {
    opening: '12.00',
    closing: '15.00',
    entries: [{ amount: '3.00', day: '2026-03-07' }],
  });
  const entries = [
    { amount: '3.00', day: '2026-03-07' },
    { amount: '4.00', day: '2026-03-09' },
  ];
  const monday = on('2026-03-09', { opening: '12.00', closing: '19.00', entries });

  it.each([
    ['before', [friday, saturday, monday]],
    ['behind', [friday, monday, saturday]],
  ])('%s: is booked once, and each statement agrees with the ledger', async (_, files) => {
    const bank = new MemoryBank();
    for (const file of files) await bank.import(file);
    expect(bank.statements.map(({ proof }) => proof)).toEqual(['ok', 'ok', 'ok']);
    expect(bank.state.tables.bank_account.get(bankAccount().id)?.balance).toBe(1_900n);
  });
});
