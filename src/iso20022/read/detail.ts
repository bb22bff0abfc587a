/**
 * One transaction of an entry (`TxDtls`): what explains an entry, and never books. Nothing in it is refused; what cannot be read is left
 * out with a note. Next: `entry.ts`.
 */
import type {
  Charge,
  Charges,
  CreditorReference,
  Detail,
  ExchangedAmount,
  Party,
  Reason,
  Remittance,
  TransactionCode,
} from './items.ts';
import type { Notes } from './notes.ts';
import { parseRf } from '../../core/rails/creditor-reference.ts';
import { referencesIn, namedIn } from '../../core/rails/named-references.ts';
import { all, at, type Element, firstOf, textAt, textsOf, wordsAt } from './tree.ts';
import { accountNumberOf, bicOf, decimalOf, explainingAmount, explainingSign, flagOf } from './values.ts';

export function readDetail(element: Element, notes: Notes): Detail {
  const references = at(element, 'Refs');
  const amounts = at(element, 'AmtDtls');
  const purpose = at(element, 'Purp');
  const additionalText = wordsAt(element, 'AddtlTxInf');
  return {
    line: element.line,
    references: {
      messageId: textAt(references, 'MsgId'),
      paymentInformationId: textAt(references, 'PmtInfId'),
      instructionId: textAt(references, 'InstrId'),
      endToEndId: textAt(references, 'EndToEndId'),
      transactionId: textAt(references, 'TxId'),
      uetr: textAt(references, 'UETR'),
      mandateId: textAt(references, 'MndtId'),
      clearingSystemReference: textAt(references, 'ClrSysRef'),
      servicerReference: textAt(references, 'AcctSvcrRef'),
    },
    amount: explainingAmount(at(element, 'Amt') ?? at(amounts, 'TxAmt', 'Amt'), notes),
    sign: explainingSign(at(element, 'CdtDbtInd')),
    instructed: exchangedAmountOf(at(amounts, 'InstdAmt'), notes),
    counterValue: exchangedAmountOf(at(amounts, 'CntrValAmt'), notes),
    charges: chargesOf(element, notes),
    transactionCode: transactionCodeOf(at(element, 'BkTxCd')),
    debtor: partyOf(element, 'Dbtr', notes),
    creditor: partyOf(element, 'Cdtr', notes),
    remittance: remittanceOf(at(element, 'RmtInf'), references),
    returned: returnOf(at(element, 'RtrInf')),
    purpose: purpose === undefined ? null : { code: textAt(purpose, 'Cd'), proprietary: textAt(purpose, 'Prtry') },
    additionalText,
    namedByBank: namedIn(additionalText ?? ''),
  };
}

/** `InstdAmt`, `CntrValAmt`: the amount, and at which rate it was exchanged. */
export function exchangedAmountOf(element: Element | undefined, notes: Notes): ExchangedAmount | null {
  const amount = explainingAmount(at(element, 'Amt'), notes);
  if (amount === null) return null;
  const exchange = at(element, 'CcyXchg');
  return {
    ...amount,
    exchange:
      exchange === undefined
        ? null
        : {
            source: textAt(exchange, 'SrcCcy'),
            target: textAt(exchange, 'TrgtCcy'),
            unit: textAt(exchange, 'UnitCcy'),
            rate: decimalOf(at(exchange, 'XchgRate'), notes),
          },
  };
}

/** Up to version 03 each `Chrgs` is a charge; later one `Chrgs` holds records. */
export function chargesOf(element: Element, notes: Notes): Charges | null {
  const parts = all(element, 'Chrgs');
  if (parts.length === 0) return null;
  const totals = parts.map((part) => at(part, 'TtlChrgsAndTaxAmt')).filter((total) => total !== undefined);
  return {
    total: explainingAmount(totals[0], notes),
    records: parts.flatMap((part) => [part, ...all(part, 'Rcrd')]).flatMap((record) => chargeOf(record, notes)),
  };
}

function chargeOf(record: Element, notes: Notes): Charge[] {
  const amount = explainingAmount(at(record, 'Amt'), notes);
  if (amount === null) return [];
  return [
    {
      amount,
      sign: explainingSign(at(record, 'CdtDbtInd')),
      included: flagOf(at(record, 'ChrgInclInd')),
      code: textAt(record, 'Tp', 'Cd') ?? textAt(record, 'Tp', 'Prtry', 'Id') ?? textAt(record, 'Tp', 'Prtry'),
    },
  ];
}

/** `null` if the file has none. */
export function transactionCodeOf(element: Element | undefined): TransactionCode | null {
  const domain = at(element, 'Domn');
  const code = {
    domain: textAt(domain, 'Cd'),
    family: textAt(domain, 'Fmly', 'Cd'),
    subfamily: textAt(domain, 'Fmly', 'SubFmlyCd'),
    proprietary: textAt(element, 'Prtry', 'Cd'),
    issuer: textAt(element, 'Prtry', 'Issr'),
  };
  return code.domain === null && code.proprietary === null ? null : code;
}

function partyOf(detail: Element, name: 'Dbtr' | 'Cdtr', notes: Notes): Party {
  const parties = at(detail, 'RltdPties');
  return {
    name: nameOf(at(parties, name)),
    ultimateName: nameOf(at(parties, `Ultmt${name}`)),
    ...accountNumberOf(at(parties, `${name}Acct`), notes),
    bic: bicOf(at(detail, 'RltdAgts', `${name}Agt`)),
  };
}

/** Directly, from version 07 under `Pty`, or of a bank that is the party itself. */
export function nameOf(party: Element | undefined): string | null {
  return textAt(party, 'Nm') ?? textAt(party, 'Pty', 'Nm') ?? textAt(party, 'Agt', 'FinInstnId', 'Nm');
}

/** References are looked for here, in the thread of the file: it is most of the work that texts make. */
function remittanceOf(element: Element | undefined, quoted: Element | undefined): Remittance {
  const structured = all(element, 'Strd');
  const texts = textsOf(element, 'Ustrd');
  const references = structured.flatMap((part) => all(part, 'CdtrRefInf')).flatMap(creditorReferenceOf);
  const additionalTexts = structured.flatMap((part) => textsOf(part, 'AddtlRmtInf'));
  return {
    texts: firstOf(texts),
    references: references.slice(0, MOST_REFERENCES),
    additionalTexts: firstOf(additionalTexts),
    named: referencesIn({
      texts,
      references: [...references.map(({ reference }) => reference), ...creditorReferencesIn(quoted)],
      additionalTexts,
    }),
  };
}

/** Where some payers and banks put the creditor's reference. A text there that is none is an id of the payer. */
const creditorReferencesIn = (references: Element | undefined): string[] =>
  [references, ...all(references, 'Prtry')]
    .flatMap((each) => textAt(each, each === references ? 'EndToEndId' : 'Ref') ?? [])
    .filter((text) => parseRf(text) !== null);

/** Of the structured ones of a transaction; `named` has looked at all of them. */
const MOST_REFERENCES = 20;

function creditorReferenceOf(element: Element): CreditorReference[] {
  const reference = textAt(element, 'Ref') ?? textAt(element, 'CdtrRef');
  if (reference === null) return [];
  const type = at(element, 'Tp', 'CdOrPrtry') ?? at(element, 'CdtrRefTp');
  return [{ type: textAt(type, 'Cd') ?? textAt(type, 'Prtry'), reference }];
}

function returnOf(element: Element | undefined): Reason | null {
  if (element === undefined) return null;
  const reason = at(element, 'Rsn') ?? at(element, 'RtrRsn');
  return {
    code: textAt(reason, 'Cd'),
    proprietary: textAt(reason, 'Prtry'),
    texts: firstOf([...textsOf(element, 'AddtlInf'), ...textsOf(element, 'AddtlRtrRsnInf')]),
  };
}
