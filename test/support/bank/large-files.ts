/** Statement files of any size, made while they are read. Next: `test/soak/bank-files.test.ts`. */
import { entry, statement } from './read-documents.ts';

const [START = '', END = ''] = statement(
  '<Id>S</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>|',
).split('|');

const ENTRIES_OF_A_PIECE = 100;
/** As banks write them: indented, with a detail, some 1.3 kB. */
const ENTRY = `
      ${entry({
        rest: `
        <ValDt><Dt>2026-03-31</Dt></ValDt>
        <AcctSvcrRef>2026033112345678</AcctSvcrRef>
        <BkTxCd>
          <Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn>
          <Prtry><Cd>NTRF+166+00931</Cd><Issr>DK</Issr></Prtry>
        </BkTxCd>
        <NtryDtls>
          <TxDtls>
            <Refs>
              <EndToEndId>E2E-2026-03-31-12345678</EndToEndId>
              <TxId>TX-2026-03-31-12345678</TxId>
            </Refs>
            <Amt Ccy="EUR">1.00</Amt>
            <CdtDbtInd>CRDT</CdtDbtInd>
            <RltdPties>
              <Dbtr><Pty><Nm>Somebody with a long name</Nm></Pty></Dbtr>
              <DbtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></DbtrAcct>
              <Cdtr><Pty><Nm>Brook Trading GmbH</Nm></Pty></Cdtr>
            </RltdPties>
            <RltdAgts><DbtrAgt><FinInstnId><BICFI>GIBAATWWXXX</BICFI></FinInstnId></DbtrAgt></RltdAgts>
            <RmtInf><Ustrd>Invoice 1234567 of 2026-03-01, thank you for your business</Ustrd></RmtInf>
          </TxDtls>
        </NtryDtls>
        <AddtlNtryInf>SEPA credit transfer</AddtlNtryInf>`,
      })}`;

export interface LargeFile {
  readonly bytes: number;
  readonly entries: number;
  readonly source: AsyncIterable<Uint8Array>;
}

/** A statement of at least so many bytes. */
export function largeStatement(bytes: number): LargeFile {
  const piece = Buffer.from(ENTRY.repeat(ENTRIES_OF_A_PIECE));
  const pieces = Math.ceil(bytes / piece.byteLength);
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(START);
    for (let number = 0; number < pieces; number += 1) yield piece;
    yield Buffer.from(END);
  }
  return { bytes: pieces * piece.byteLength, entries: pieces * ENTRIES_OF_A_PIECE, source: source() };
}
