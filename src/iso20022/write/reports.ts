/**
 * What a bank says, for rehearsals in a sandbox: a report on a payment file (pain.002.001.10), and a statement, report or notification of an
 * account (camt.053, camt.052, camt.054, version 08). Pure. Who reads them: `iso20022/read/`.
 */
import { majorOf } from '../../core/values/money.ts';
import { escapeXml } from './text.ts';

export interface StatusReport {
  /** Of the payment file. */
  readonly messageId: string;
  /** ISO 8601 with its zone. */
  readonly created: string;
  /** The payments that the bank rejects, with ISO 20022 reasons; it has accepted the others. */
  readonly rejected: readonly { readonly endToEndId: string; readonly reason: string }[];
}

export function writePain002({ messageId, created, rejected }: StatusReport): string {
  const status = rejected.length === 0 ? 'ACSP' : 'PART';
  const transactions = rejected.map(
    ({ endToEndId, reason }) =>
      `\n      <TxInfAndSts><OrgnlInstrId>${endToEndId}</OrgnlInstrId><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf></TxInfAndSts>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
  <CstmrPmtStsRpt>
    <GrpHdr><MsgId>R${messageId.slice(2)}</MsgId><CreDtTm>${created}</CreDtTm></GrpHdr>
    <OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts>
    <OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId><PmtInfSts>${status}</PmtInfSts>${transactions.join('')}
    </OrgnlPmtInfAndSts>
  </CstmrPmtStsRpt>
</Document>
`;
}

export interface ReportedEntry {
  /** Minor units; below zero is a debit. */
  readonly amount: bigint;
  readonly endToEndId: string | null;
  /** The payments that are booked as one; nothing is said of a single one. */
  readonly batch: { readonly paymentInformationId: string; readonly count: number } | null;
  /** Of the other side. */
  readonly name: string | null;
  readonly text: string | null;
  /** ISO 20022, where it came back. */
  readonly returnReason: string | null;
}

export interface AccountReport {
  readonly message: 'camt.053' | 'camt.052' | 'camt.054';
  /** IBAN, or a number that is none. */
  readonly account: string;
  readonly currency: string;
  /** ISO date. */
  readonly day: string;
  /** Minor units. A notification says no balances. */
  readonly opening: bigint;
  readonly entries: readonly ReportedEntry[];
}

/** The elements of each message. */
const ELEMENTS = {
  'camt.053': ['BkToCstmrStmt', 'Stmt'],
  'camt.052': ['BkToCstmrAcctRpt', 'Rpt'],
  'camt.054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

export function writeCamt(report: AccountReport): string {
  const { message, account, currency, day, opening, entries } = report;
  const [root, element] = ELEMENTS[message];
  const closing = entries.reduce((sum, { amount }) => sum + amount, opening);
  const number = /^[A-Z]{2}\d{2}/.test(account)
    ? `<IBAN>${account}</IBAN>`
    : `<Othr><Id>${escapeXml(account)}</Id></Othr>`;
  const balance = (code: string, amount: bigint): string =>
    `\n      <Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountXml(amount, currency)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const last = message === 'camt.053' ? 'CLBD' : 'ITBD';
  const balances = message === 'camt.054' ? '' : balance('OPBD', opening) + balance(last, closing);
  const at = `${day}T20:00:00Z`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}.001.08">
  <${root}>
    <GrpHdr><MsgId>${message.slice(-3)}-${day}</MsgId><CreDtTm>${at}</CreDtTm></GrpHdr>
    <${element}><Id>${message.slice(-3)}-${day}</Id><CreDtTm>${at}</CreDtTm><Acct><Id>${number}</Id><Ccy>${currency}</Ccy></Acct>${balances}
${entries.map((entry, n) => entryXml(entry, `${day.replaceAll('-', '')}${String(n + 1).padStart(6, '0')}`, report)).join('\n')}
    </${element}>
  </${root}>
</Document>
`;
}

function entryXml(entry: ReportedEntry, reference: string, { currency, day }: AccountReport): string {
  const { amount, endToEndId, batch, name, text, returnReason } = entry;
  const isDebit = amount < 0n;
  const party = isDebit ? 'Cdtr' : 'Dbtr';
  const money = amountXml(amount, currency);
  const subfamily = isDebit ? '<Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly>' : receivedXml(returnReason);
  const parts = [
    `<Refs><EndToEndId>${endToEndId ?? 'NOTPROVIDED'}</EndToEndId></Refs>${money}`,
    name === null ? '' : `<RltdPties><${party}><Pty><Nm>${escapeXml(name)}</Nm></Pty></${party}></RltdPties>`,
    text === null ? '' : `<RmtInf><Ustrd>${escapeXml(text)}</Ustrd></RmtInf>`,
    returnReason === null ? '' : `<RtrInf><Rsn><Cd>${returnReason}</Cd></Rsn></RtrInf>`,
  ];
  const details =
    batch === null
      ? `<TxDtls>${parts.join('')}</TxDtls>`
      : `<Btch><PmtInfId>${batch.paymentInformationId}</PmtInfId><NbOfTxs>${batch.count}</NbOfTxs></Btch>`;
  return `      <Ntry>${money}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${reference}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd>${subfamily}</Domn></BkTxCd><NtryDtls>${details}</NtryDtls></Ntry>`;
}

const receivedXml = (returnReason: string | null): string =>
  returnReason === null
    ? '<Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly>'
    : '<Fmly><Cd>ICDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly>';

function amountXml(amount: bigint, currency: string): string {
  const text = majorOf(amount < 0n ? -amount : amount, currency);
  return `<Amt Ccy="${currency}">${text}</Amt><CdtDbtInd>${amount < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
}
