/** A statement as a bank would send it, camt.053 from a few words. Pure. Part of `recipes.ts`. Source: ISO 20022, camt.053.001.08. */

export interface Statement {
  readonly iban: string;
  readonly currency: string;
  /** ISO. */
  readonly day: string;
  /** Major units. */
  readonly opening: number;
  readonly closing: number;
  readonly entries: readonly StatementEntry[];
}

export interface StatementEntry {
  /** Below zero is a debit. */
  readonly amount: number;
  /** The bank's; an entry with one that was booked on that day before is the same entry. */
  readonly reference?: string;
  /** Of the payout that it is about. */
  readonly endToEndId?: string;
}

export function bankStatement({ iban, currency, day, opening, closing, entries }: Statement): string {
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
<Stmt><Id>${day}-${opening}-${closing}</Id><CreDtTm>${day}T20:00:00+01:00</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', opening)}${balance('CLBD', closing)}
${entries.map(entry).join('\n')}</Stmt></BkToCstmrStmt></Document>`;
}
