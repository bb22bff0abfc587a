/** Statement files as a bank writes them: camt.053 (and 052, 054) from a few words, for tests of what reads them. */

export interface Written {
  /** Major units as text; below zero is a debit. */
  readonly amount: string;
  readonly day?: string;
  readonly status?: string;
  readonly reference?: string;
  /** Domain, family and subfamily: `PMNT-MDOP-CHRG`. */
  readonly code?: string;
  readonly isReversal?: boolean;
  readonly details?: readonly WrittenDetail[];
  /** The payment file that it books as a whole. */
  readonly batch?: { readonly paymentInformationId?: string; readonly messageId?: string; readonly count?: number };
}

export interface WrittenDetail {
  readonly endToEndId?: string;
  readonly uetr?: string;
  /** Under `Refs/Prtry`. */
  readonly proprietary?: string;
  readonly paymentInformationId?: string;
  readonly amount?: string;
  /** Several are lines of their own. */
  readonly text?: string | readonly string[];
  /** A structured creditor reference. */
  readonly creditorReference?: string;
  readonly name?: string;
  readonly iban?: string;
  readonly returned?: string;
  /** Further elements behind the amount, as XML: `AmtDtls`, `Chrgs`. */
  readonly more?: string;
}

export interface WrittenStatement {
  /** Or a number that is no IBAN. */
  readonly iban: string;
  readonly currency?: string;
  readonly id?: string;
  readonly page?: number;
  readonly isLast?: boolean;
  readonly day: string;
  /** Day of the opening balance, if the statement is over several days. */
  readonly openedOn?: string;
  readonly opening?: string;
  readonly closing?: string;
  /** Codes of the two balances; OPBD and CLBD. */
  readonly codes?: readonly [string, string];
  readonly entries: readonly Written[];
}

const VERSION = {
  'camt.053': 'BkToCstmrStmt Stmt',
  'camt.052': 'BkToCstmrAcctRpt Rpt',
  'camt.054': 'BkToCstmrDbtCdtNtfctn Ntfctn',
};

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const signOf = (amount: string) => (amount.startsWith('-') ? 'DBIT' : 'CRDT');
const elementXml = (name: string, value: string | number | boolean | undefined) =>
  value === undefined ? '' : `<${name}>${value}</${name}>`;
const plain = (amount: string) => amount.replace('-', '');

function detailXml(detail: WrittenDetail, { amount }: Written, currency: string): string {
  const { endToEndId = 'NOTPROVIDED', paymentInformationId, text, creditorReference, name, iban, returned } = detail;
  const { uetr, proprietary, more = '' } = detail;
  const ofBank = proprietary === undefined ? '' : `<Prtry><Tp>REF</Tp><Ref>${proprietary}</Ref></Prtry>`;
  const party = signOf(amount) === 'CRDT' ? 'Dbtr' : 'Cdtr';
  const words = [text ?? []]
    .flat()
    .map((line) => `<Ustrd>${escaped(line)}</Ustrd>`)
    .join('');
  const structured =
    creditorReference === undefined
      ? ''
      : `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${creditorReference}</Ref></CdtrRefInf></Strd>`;
  return `<TxDtls><Refs>${elementXml('PmtInfId', paymentInformationId)}<EndToEndId>${endToEndId}</EndToEndId>${elementXml('UETR', uetr)}${ofBank}</Refs>
    <Amt Ccy="${currency}">${plain(detail.amount ?? amount)}</Amt><CdtDbtInd>${signOf(amount)}</CdtDbtInd>${more}
    <RltdPties>${name === undefined ? '' : `<${party}><Pty><Nm>${escaped(name)}</Nm></Pty></${party}>`}${
      iban === undefined ? '' : `<${party}Acct><Id><IBAN>${iban}</IBAN></Id></${party}Acct>`
    }</RltdPties>
    ${words + structured === '' ? '' : `<RmtInf>${words}${structured}</RmtInf>`}
    ${returned === undefined ? '' : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`}</TxDtls>`;
}

const batchXml = ({ messageId, paymentInformationId, count }: NonNullable<Written['batch']>): string =>
  `<Btch>${elementXml('MsgId', messageId)}${elementXml('PmtInfId', paymentInformationId)}${elementXml('NbOfTxs', count)}</Btch>`;

function codeXml({ code }: Written): string {
  const [domain, family, subfamily] = code?.split('-') ?? [];
  if (domain === undefined) return '<Prtry><Cd>NTRF</Cd></Prtry>';
  return `<Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subfamily}</SubFmlyCd></Fmly></Domn>`;
}

function entryXml(entry: Written, statement: WrittenStatement): string {
  const { amount, day = statement.day, status = 'BOOK', reference, isReversal, details = [], batch } = entry;
  const { currency = 'EUR' } = statement;
  return `<Ntry><Amt Ccy="${currency}">${plain(amount)}</Amt><CdtDbtInd>${signOf(amount)}</CdtDbtInd>${elementXml('RvslInd', isReversal)}<Sts><Cd>${status}</Cd></Sts>
    <BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>${reference === undefined ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`}
    <BkTxCd>${codeXml(entry)}</BkTxCd>
    <NtryDtls>${batch === undefined ? '' : batchXml(batch)}${details.map((detail) => detailXml(detail, entry, currency)).join('')}</NtryDtls></Ntry>`;
}

const balanceXml = (code: string, amount: string | undefined, day: string, currency: string) =>
  amount === undefined
    ? ''
    : `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${plain(amount)}</Amt><CdtDbtInd>${signOf(amount)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

const numberXml = (number: string) =>
  /^[A-Z]{2}/.test(number) ? `<IBAN>${number}</IBAN>` : `<Othr><Id>${number}</Id></Othr>`;

/** A document of one message with these statements. */
export function camt(
  statements: readonly WrittenStatement[],
  message: 'camt.053' | 'camt.052' | 'camt.054' = 'camt.053',
): string {
  const [root, element] = VERSION[message].split(' ');
  const written = statements.map((statement) => {
    const {
      iban,
      currency = 'EUR',
      id = `S${statement.day}`,
      page,
      isLast = false,
      day,
      openedOn = day,
      opening,
      closing,
      entries,
    } = statement;
    const [first, last] = statement.codes ?? ['OPBD', 'CLBD'];
    return `<${element}><Id>${id}</Id>${page === undefined ? '' : `<StmtPgntn><PgNb>${page}</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn>`}
      <CreDtTm>${day}T20:00:00+01:00</CreDtTm><Acct><Id>${numberXml(iban)}</Id><Ccy>${currency}</Ccy></Acct>
      ${balanceXml(first, opening, openedOn, currency)}${balanceXml(last, closing, day, currency)}
      ${entries.map((entry) => entryXml(entry, statement)).join('\n')}</${element}>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}.001.08"><${root}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T20:00:00+01:00</CreDtTm></GrpHdr>
${written.join('\n')}</${root}></Document>`;
}
