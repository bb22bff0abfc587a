/**
 * The writer of payment files: ISO 20022 pain.001.001.09, one group of payments (`PmtInf`) a file, because some banks read only the first
 * (decision 0046). Pure, in pieces: a file of ten thousand payments is never one string. Market subsets: `profiles.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { isOutsideEea } from '../../core/rails/payment-schemes.ts';
import { majorOf } from '../../core/values/money.ts';
import { MAX_NAME, MAX_TOWN, nameOf } from './payable.ts';
import type { Address, Creditor, Debtor, Payment, Initiation } from './initiation.ts';
import { type Dialect, DIALECTS } from './profiles.ts';
import { remittanceOf } from './remittance.ts';
import { accountNumberOf, clearingMemberOf, type Details, isSepa, type Route } from './routes.ts';
import { type Charset, escapeXml, writableName, writableText } from './text.ts';
import { uetrOf } from './identifiers.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** The file, in pieces of one payment each. Its payments must be payable (`payable.ts`), and count and sum be theirs. */
export function* writePain001(file: Initiation): Generator<string> {
  const dialect = DIALECTS[file.profile];
  yield head(file, dialect);
  let count = 0;
  let sum = 0n;
  for (const payment of file.payments) {
    yield transaction(payment, file, dialect);
    count += 1;
    sum += payment.amount;
  }
  assert(count === file.count && sum === file.sum, 'a file holds as many payments as its head says, and their sum');
  yield '    </PmtInf>\n  </CstmrCdtTrfInitn>\n</Document>\n';
}

function head(file: Initiation, dialect: Dialect): string {
  const { messageId, paymentInformationId, createdAtMs, debtor, executionOn, route, currency, count, sum } = file;
  const name = escapeXml(debtorName(debtor, dialect.charset));
  const sums = `<NbOfTxs>${count}</NbOfTxs><CtrlSum>${majorOf(sum, currency)}</CtrlSum>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${NAMESPACE}">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>${messageId}</MsgId><CreDtTm>${new Date(createdAtMs).toISOString().slice(0, 19)}Z</CreDtTm>${sums}
      <InitgPty><Nm>${name}</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>${paymentInformationId}</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>${file.batchBooking}</BtchBookg>${sums}
      ${isTypedHere(route, dialect) ? typeOf(file, dialect) : ''}<ReqdExctnDt><Dt>${executionOn}</Dt></ReqdExctnDt>
      <Dbtr><Nm>${name}</Nm>${addressOf(debtor.address, dialect.charset)}</Dbtr>
      <DbtrAcct><Id>${accountOf(debtor.details)}</Id><Ccy>${currency}</Ccy></DbtrAcct>
      <DbtrAgt><FinInstnId>${debtorBankOf(debtor, dialect)}</FinInstnId></DbtrAgt>
      ${isTypedHere(route, dialect) ? `<ChrgBr>${chargeBearerOf(route)}</ChrgBr>` : ''}
`;
}

function transaction(payment: Payment, file: Initiation, dialect: Dialect): string {
  const { route, profile } = file;
  const { endToEndId, amount, currency, creditor, purpose } = payment;
  const name = nameOf(creditor, profile);
  assert(name !== null, 'a creditor of a payable payment has a name that can be written');
  const isTypedAbove = isTypedHere(route, dialect);
  const level = isTypedAbove ? '' : typeOf(file, dialect);
  const bearer = isTypedAbove ? '' : `<ChrgBr>${chargeBearerOf(route)}</ChrgBr>`;
  return `      <CdtTrfTxInf>
        <PmtId><InstrId>${endToEndId}</InstrId><EndToEndId>${endToEndId}</EndToEndId>${dialect.hasUetr ? `<UETR>${uetrOf(endToEndId)}</UETR>` : ''}</PmtId>${level}
        <Amt><InstdAmt Ccy="${currency}">${majorOf(amount, currency)}</InstdAmt></Amt>${bearer}
        ${creditorBankOf(creditor, route)}<Cdtr><Nm>${escapeXml(name)}</Nm>${addressOf(creditor.address, dialect.charset)}</Cdtr>
        <CdtrAcct><Id>${accountOf(creditor.details)}</Id></CdtrAcct>${purpose === null ? '' : `<Purp><Cd>${purpose}</Cd></Purp>`}${remittanceOf(payment, route, dialect.charset)}
      </CdtTrfTxInf>
`;
}

/** Whether type and charges stand once for the file. Foreign payments of a dialect with service levels repeat them. */
const isTypedHere = (route: Route, { foreignServiceLevel }: Dialect): boolean =>
  isSepa(route) || foreignServiceLevel === null;
const chargeBearerOf = (route: Route): string => (isSepa(route) ? 'SLEV' : 'SHAR');

/** The service level, how it is cleared, and what it is for. Nothing where the bank chooses. */
function typeOf({ route, categoryPurpose }: Initiation, { foreignServiceLevel }: Dialect): string {
  const level = isSepa(route) ? 'SEPA' : route === 'urgent' ? 'URGP' : foreignServiceLevel;
  const instrument = route === 'sepa_instant' ? '<LclInstrm><Cd>INST</Cd></LclInstrm>' : '';
  const service = level === null ? '' : `<SvcLvl><Cd>${level}</Cd></SvcLvl>${instrument}`;
  const category = categoryPurpose === null ? '' : `<CtgyPurp><Cd>${categoryPurpose}</Cd></CtgyPurp>`;
  return service + category === '' ? '' : `<PmtTpInf>${service}${category}</PmtTpInf>`;
}

const debtorName = ({ name }: Debtor, charset: Charset): string =>
  writableName(name, charset, MAX_NAME) ?? writableText(name, charset, MAX_NAME) ?? 'NOTPROVIDED';

/** Structured only: German banks take no lines, others only beside town and country. Nothing where the town cannot be written. */
function addressOf(address: Address | null, charset: Charset): string {
  const town = address && writableName(address.city, charset, MAX_TOWN);
  if (!address || town === null) return '';
  const part = (tag: string, text: string | null, max: number): string => {
    const writable = text === null ? null : writableName(text, charset, max);
    return writable === null ? '' : `<${tag}>${escapeXml(writable)}</${tag}>`;
  };
  const { line1, line2, postal_code: code, state, country } = address;
  const street = part('StrtNm', line1, 70) + part('Room', line2, 70) + part('PstCd', code, 16);
  return `<PstlAdr>${street}<TwnNm>${escapeXml(town)}</TwnNm>${part('CtrySubDvsn', state, 35)}<Ctry>${country}</Ctry></PstlAdr>`;
}

function accountOf(details: Details): string {
  const { iban } = details as { iban?: string };
  if (iban !== undefined) return `<IBAN>${iban}</IBAN>`;
  return `<Othr><Id>${escapeXml(accountNumberOf(details) ?? '')}</Id></Othr>`;
}

function debtorBankOf({ details, country }: Debtor, { bankWithoutBic }: Dialect): string {
  const { bic, iban } = details as { bic?: string; iban?: string };
  if (bic !== undefined) return `<BICFI>${bic}</BICFI>`;
  // The number of a Swiss bank is in the IBAN.
  if (bankWithoutBic === 'clearing' && iban !== undefined && (country === 'CH' || country === 'LI')) {
    return memberOf({ system: 'CHBCC', member: iban.slice(4, 9) });
  }
  const member = clearingMemberOf(details);
  return member === null ? '<Othr><Id>NOTPROVIDED</Id></Othr>' : memberOf(member);
}

/** None by SEPA within the EEA, where the IBAN leads to the bank (Regulation (EU) 260/2012, Article 5). */
function creditorBankOf({ country, details }: Creditor, route: Route): string {
  const { bic } = details as { bic?: string };
  const member = clearingMemberOf(details);
  if ((isSepa(route) && !isOutsideEea(country)) || (bic === undefined && member === null)) return '';
  const bank = bic === undefined ? memberOf(member as NonNullable<typeof member>) : `<BICFI>${bic}</BICFI>`;
  return `<CdtrAgt><FinInstnId>${bank}</FinInstnId></CdtrAgt>`;
}

const memberOf = ({ system, member }: { readonly system: string; readonly member: string }): string =>
  `<ClrSysMmbId><ClrSysId><Cd>${system}</Cd></ClrSysId><MmbId>${member}</MmbId></ClrSysMmbId>`;
