/**
 * Statements as a bank writes them: camt.053.001.08, for accounting software. Every transfer is a booked entry, known
 * by its id (`AcctSvcrRef`). `iso20022/read/` reads the same figures. Pure. Other formats: `schema.ts`.
 */
import { majorOf } from '../../core/values/money.ts';
import { isoDay } from '../../core/values/time.ts';
import type { Cause } from '../../core/transfer.ts';
import { escapeXml } from '../../iso20022/write/text.ts';
import type { Cover, Line, Renderer, StatementHead } from './lines.ts';

/** Domain, family and subfamily of the ISO 20022 bank transaction codes, where money leaves and where it comes. Our own cause stands beside it. */
const CODES: Readonly<Record<Cause, string>> = {
  funding: 'PMNT RCDT OTHR',
  transfer: 'PMNT ICDT BOOK',
  exchange: 'FORX SPOT OTHR',
  exchange_fee: 'FORX MDOP CHRG',
  payout: 'PMNT ICDT OTHR',
  payout_settlement: 'PMNT ICDT OTHR',
  payout_settlement_void: 'PMNT ICDT OTHR',
  payout_reversal: 'PMNT ICDT RRTN',
  payout_reversal_void: 'PMNT ICDT RRTN',
  payout_fee: 'PMNT MDOP CHRG',
  payout_fee_reversal: 'PMNT MCOP CHRG',
  payment: 'PMNT RCDT OTHR',
  payment_fee: 'PMNT MDOP CHRG',
  payment_void: 'PMNT RCDT OTHR',
  payment_fee_reversal: 'PMNT MCOP CHRG',
  bank_entry: 'PMNT RCDT OTHR',
  bank_assignment: 'PMNT RCDT OTHR',
  bank_entry_void: 'PMNT RCDT OTHR',
  bank_entry_unvoid: 'PMNT RCDT OTHR',
};

const MOST_NAME = 140;
const MOST_ACCOUNT_NAME = 70;
/** Readers want one, though the account is at no bank. */
const SERVICER = '<Svcr><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></Svcr>';
const MOST_TEXT = 140;

export const CAMT_STATEMENT: Renderer = {
  open: (cover) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>${documentId(cover.id, cover)}</MsgId><CreDtTm>${instant(cover.atMs)}</CreDtTm></GrpHdr>
`,
  head: headXml,
  line: lineXml,
  tail: (_, { livemode }) => `${livemode ? '' : '<AddtlStmtInf>Sandbox: no real money</AddtlStmtInf>'}</Stmt>\n`,
  close: () => '</BkToCstmrStmt></Document>\n',
};

function headXml(head: StatementHead, cover: Cover): string {
  const { account, name, currency, opening, closing } = head;
  const { fromMs, untilMs, atMs, issuer } = cover;
  // A period that has not ended is known until now.
  const endMs = Math.max(fromMs, Math.min(untilMs - 1, atMs));
  return `<Stmt><Id>${documentId(account, cover)}</Id><CreDtTm>${instant(atMs)}</CreDtTm><FrToDt><FrDtTm>${instant(fromMs)}</FrDtTm><ToDtTm>${instant(untilMs - 1)}</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy>${name === null ? '' : `<Nm>${escapeXml(cut(name, MOST_ACCOUNT_NAME))}</Nm>`}<Ownr><Nm>${escapeXml(cut(issuer.name, MOST_NAME))}</Nm></Ownr>${SERVICER}</Acct>
${balance('OPBD', opening, currency, fromMs)}${balance('CLBD', closing, currency, endMs)}
`;
}

function lineXml({ transfer, signed, names }: Line): string {
  const { id, createdAt, currency, cause, causeId, description } = transfer;
  const isDebit = signed < 0n;
  const party = isDebit ? 'Cdtr' : 'Dbtr';
  const money = `${amount(signed, currency)}${sign(signed)}`;
  const [domain, family, subfamily] = CODES[cause].split(' ');
  const endToEndId =
    cause.startsWith('payout') && causeId !== null ? causeId.replace('_', '').toUpperCase() : 'NOTPROVIDED';
  const { recipientName, reference, counterpartyName, text } = names;
  const other = recipientName ?? counterpartyName;
  const details = [
    `<Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>${money}`,
    other === null
      ? ''
      : `<RltdPties><${party}><Pty><Nm>${escapeXml(cut(other, MOST_NAME))}</Nm></Pty></${party}></RltdPties>`,
    reference === null && text === null ? '' : `<RmtInf>${remittance(reference ?? text ?? '', cause)}</RmtInf>`,
    description === null ? '' : `<AddtlTxInf>${escapeXml(cut(description, 500))}</AddtlTxInf>`,
  ];
  const day = `<Dt>${isoDay(createdAt)}</Dt>`;
  return `<Ntry>${money}<Sts><Cd>BOOK</Cd></Sts><BookgDt>${day}</BookgDt><ValDt>${day}</ValDt><AcctSvcrRef>${id}</AcctSvcrRef><BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subfamily}</SubFmlyCd></Fmly></Domn><Prtry><Cd>${cause}</Cd><Issr>Bursar</Issr></Prtry></BkTxCd><NtryDtls><TxDtls>${details.join('')}</TxDtls></NtryDtls></Ntry>
`;
}

/** 34 characters of the 35 there may be: what it is of, and the day it begins. */
const documentId = (id: string, { fromMs }: Cover): string =>
  `${id.slice(id.indexOf('_') + 1)}${isoDay(fromMs).replaceAll('-', '')}`;

const instant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** By characters, never through the middle of one. */
const cut = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

/** That of a payment is a creditor reference (ISO 11649), which software looks for in a place of its own. */
const remittance = (reference: string, cause: Cause): string =>
  cause.startsWith('payment')
    ? `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${escapeXml(reference)}</Ref></CdtrRefInf></Strd>`
    : `<Ustrd>${escapeXml(cut(reference, MOST_TEXT))}</Ustrd>`;

function balance(code: 'OPBD' | 'CLBD', minor: bigint, currency: string, atMs: number): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(minor, currency)}${sign(minor)}<Dt><Dt>${isoDay(atMs)}</Dt></Dt></Bal>`;
}

const sign = (minor: bigint): string => `<CdtDbtInd>${minor < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;

function amount(minor: bigint, currency: string): string {
  const text = majorOf(minor < 0n ? -minor : minor, currency);
  return `<Amt Ccy="${currency}">${text}</Amt>`;
}
