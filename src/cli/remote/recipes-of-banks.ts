/**
 * Recipes of events that come from banks. They use a bank account of their own, in a currency that few have, so that no
 * other payouts leave by it. Part of `recipes.ts`.
 */
import { randomInt } from 'node:crypto';
import { composeIBAN } from 'ibantools';
import type { BankAccount, BankEntry, Bursar, CreateExpectedPaymentRequest } from '../../../client/src/bursar.ts';
import { clockOf, DAY_SECONDS, eventually, funded, isoDay, newAccount, type Recipe, TRIGGER } from './recipe-parts.ts';

const CURRENCY = 'DKK';

const newIban = () => {
  const bban = Array.from({ length: 14 }, () => randomInt(10)).join('');
  return composeIBAN({ countryCode: 'DK', bban }) ?? '';
};

const newBank = (bursar: Bursar) =>
  bursar.bankAccounts.create({
    currency: CURRENCY,
    country: 'DK',
    holder: TRIGGER,
    bank_details: { iban: newIban() },
    cut_off: '14:30',
    time_zone: 'Europe/Copenhagen',
  });

/** The one of an earlier command, if it is still there. */
async function bank(bursar: Bursar): Promise<BankAccount> {
  for await (const each of bursar.bankAccounts.list({ status: 'open', currency: CURRENCY }))
    if (each.holder === TRIGGER) return each;
  return newBank(bursar);
}

export async function newExpected(bursar: Bursar, more: Partial<CreateExpectedPaymentRequest> = {}) {
  const { id: account } = await newAccount(bursar, CURRENCY);
  const about = { currency: CURRENCY, account, description: 'Invoice' };
  return bursar.expectedPayments.create({ amount: '119.00', ...about, ...more });
}

async function expectedAndCredited(bursar: Bursar, amount: `${number}`) {
  const { reference } = await newExpected(bursar);
  const { id } = await bank(bursar);
  return bursar.testHelpers.bankAccounts.credit(id, { amount, text: `Invoice ${reference}`, name: 'Example AG' });
}

const unmatched = async (bursar: Bursar) =>
  bursar.testHelpers.bankAccounts.credit((await bank(bursar)).id, { amount: '5.00', text: 'for nothing known' });

const approved = (bursar: Bursar, { id }: BankEntry) => bursar.testHelpers.bankEntries.approve(id);

const voidedOf = async (bursar: Bursar, { id }: BankEntry) =>
  approved(bursar, await bursar.bankEntries.void(id, { reason: TRIGGER }));
const voided = async (bursar: Bursar) => voidedOf(bursar, await unmatched(bursar));

/** A payout in a file for the bank, sealed. */
async function sealedFile(bursar: Bursar) {
  const { id: bank_account } = await bank(bursar);
  const details = { currency: CURRENCY, country: 'DK', bank_details: { iban: newIban() } };
  const { id: recipient } = await bursar.recipients.create({ name: 'Niels Bohr', type: 'individual', ...details });
  const { id: account } = await funded(bursar, CURRENCY);
  await bursar.payouts.create({ amount: '10.00', currency: CURRENCY, recipient, account });
  const [file] = (await bursar.paymentFiles.create({ bank_account })).files;
  const id = file?.id ?? '';
  return eventually('The sealed file', async () =>
    (await bursar.paymentFiles.retrieve(id)).status === 'claiming' ? undefined : id,
  );
}

/** The bank's report on a file as a whole. Source: ISO 20022, pain.002.001.10. */
async function reportOnFile(bursar: Bursar, said: string) {
  const { message_id: id } = await bursar.paymentFiles.retrieve(await sealedFile(bursar));
  return bursar.statementFiles.import(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>R-${id}</MsgId><CreDtTm>2026-11-20T20:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${said}</OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`);
}

type Said = Pick<Statement, 'opening' | 'closing' | 'entries' | 'id'>;

/** What the bank of a bank account says of yesterday, one statement after the other. */
async function statementsOf(bursar: Bursar, account: BankAccount, said: readonly Said[]): Promise<BankAccount> {
  const { iban = '' } = account.bank_details;
  const day = isoDay((await clockOf(bursar)) - DAY_SECONDS);
  for (const each of said)
    await bursar.statementFiles.import(bankStatement({ iban, currency: CURRENCY, day, ...each }));
  return account;
}

const statements = async (b: Bursar, ...said: readonly Said[]) => statementsOf(b, await newBank(b), said);

/** A statement that is issued again without one of its entries: the ledger has booked it, and the bank's balance is below ours. */
const DRIFTING: readonly Said[] = [
  { id: TRIGGER, opening: 0, closing: 12, entries: [{ amount: 5 }, { amount: 7 }] },
  { id: TRIGGER, opening: 0, closing: 5, entries: [{ amount: 5 }] },
];

async function stopped(bursar: Bursar): Promise<BankAccount> {
  const { id } = await newBank(bursar);
  await statementsOf(bursar, await bursar.bankAccounts.update(id, { on_drift: 'stop_exports' }), DRIFTING);
  // The file is read in the background.
  return eventually('The stop of exports', async () => {
    const account = await bursar.bankAccounts.retrieve(id);
    return account.exports_stopped_by === null ? undefined : account;
  });
}

const MADE_UP_PAYOUT = 'PO01JD3V9Q4NE8V8K3W2M6R5T7XA';

export const RECIPES_OF_BANKS = {
  'bank_account.created': async (b) => b.bankAccounts.close((await newBank(b)).id),
  'bank_account.updated': async (b) => b.bankAccounts.update((await bank(b)).id, { name: `${TRIGGER} ${Date.now()}` }),
  'bank_account.closed': async (b) => b.bankAccounts.close((await newBank(b)).id),
  'payment_file.sealed': sealedFile,
  'payment_file.updated': (b) =>
    reportOnFile(b, '<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf>'),
  'payment_file.payees_checked': (b) => reportOnFile(b, '<GrpSts>RCVC</GrpSts>'),
  'payment_file.abandoned': async (b) => b.testHelpers.paymentFiles.abandon(await sealedFile(b)),
  'bank_statement.imported': (b) => statements(b, { opening: 0, closing: 5, entries: [{ amount: 5 }] }),
  'bank_statement.proof_failed': (b) => statements(b, { opening: 0, closing: 7, entries: [{ amount: 5 }] }),
  'bank_statement.needs_review': (b) => statements(b, { opening: 0, closing: 7, entries: [{ amount: 5 }] }),
  'bank_statement.drift_detected': (b) => statements(b, ...DRIFTING),
  'bank_account.exports_stopped': stopped,
  'bank_account.exports_resumed': async (b) => b.bankAccounts.resumeExports((await stopped(b)).id, { reason: TRIGGER }),
  'bank_entry.conflict_detected': (b) =>
    statements(b, { opening: 5, closing: 0, entries: [{ amount: -5, endToEndId: MADE_UP_PAYOUT }] }),
  'bank_entry.unmatched': unmatched,
  'bank_entry.assigned': async (b) => b.bankEntries.assign((await unmatched(b)).id, { assignments: [{ to: 'fees' }] }),
  'bank_entry.updated': async (b) => b.bankEntries.void((await unmatched(b)).id, { reason: TRIGGER }),
  'bank_entry.voided': voided,
  'bank_entry.unvoided': async (b) =>
    approved(b, await b.bankEntries.unvoid((await voided(b)).id, { reason: TRIGGER })),
  'expected_payment.created': (b) => newExpected(b),
  'expected_payment.canceled': async (b) => b.expectedPayments.cancel((await newExpected(b)).id),
  'expected_payment.updated': async (b) => voidedOf(b, await expectedAndCredited(b, '19.00')),
  'expected_payment.partially_paid': (b) => expectedAndCredited(b, '19.00'),
  'expected_payment.paid': (b) => expectedAndCredited(b, '119.00'),
} satisfies Readonly<Record<string, Recipe>>;

/** A statement as a bank would send it, camt.053 from a few words. Pure. Part of `recipes.ts`. Source: ISO 20022, camt.053.001.08. */
interface Statement {
  /** Of the bank, the same if it is issued again. */
  readonly id?: string;
  readonly iban: string;
  readonly currency: string;
  /** ISO. */
  readonly day: string;
  /** Major units. */
  readonly opening: number;
  readonly closing: number;
  readonly entries: readonly StatementEntry[];
}

interface StatementEntry {
  /** Below zero is a debit. */
  readonly amount: number;
  /** The bank's; an entry with one that was booked on that day before is the same entry. */
  readonly reference?: string;
  /** Of the payout that it is about. */
  readonly endToEndId?: string;
}

function bankStatement({ iban, currency, day, opening, closing, entries, id }: Statement): string {
  const sum = (amount: number) =>
    `<Amt Ccy="${currency}">${Math.abs(amount).toFixed(2)}</Amt><CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${sum(amount)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entry = (each: StatementEntry) => {
    const { amount, reference = `${day}-${each.amount}`, endToEndId = 'NOTPROVIDED' } = each;
    const days = `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>`;
    const detail = `<TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>${sum(amount)}</TxDtls>`;
    return `<Ntry>${sum(amount)}<Sts><Cd>BOOK</Cd></Sts>${days}<AcctSvcrRef>${reference}</AcctSvcrRef>
      <BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd><NtryDtls>${detail}</NtryDtls></Ntry>`;
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>${day}</MsgId><CreDtTm>${day}T20:00:00+01:00</CreDtTm></GrpHdr>
<Stmt><Id>${id ?? `${day}-${opening}-${closing}`}</Id><CreDtTm>${day}T20:00:00+01:00</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', opening)}${balance('CLBD', closing)}
${entries.map(entry).join('\n')}</Stmt></BkToCstmrStmt></Document>`;
}
