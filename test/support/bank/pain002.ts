/** Reports of a bank on payment files (pain.002) from a few words, for tests of what reads them. */

export interface WrittenAnswer {
  readonly endToEndId: string;
  readonly status: string;
  readonly reason?: string;
  readonly text?: string;
}

export interface WrittenReport {
  /** `MsgId` of the file that it is about. */
  readonly messageId: string;
  readonly status?: string;
  readonly reason?: string;
  /** Of its one group. */
  readonly group?: { readonly status: string; readonly reason?: string };
  readonly answers?: readonly WrittenAnswer[];
}

const reasonOf = (reason: string | undefined, text?: string): string =>
  reason === undefined
    ? ''
    : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn>${text === undefined ? '' : `<AddtlInf>${text}</AddtlInf>`}</StsRsnInf>`;

let reports = 0;

/** A document of its own each time. */
export function pain002({ messageId, status, reason, group, answers = [] }: WrittenReport): string {
  const said = status === undefined ? '' : `<GrpSts>${status}</GrpSts>${reasonOf(reason)}`;
  const transactions = answers.map(
    (each) =>
      `<TxInfAndSts><OrgnlEndToEndId>${each.endToEndId}</OrgnlEndToEndId><TxSts>${each.status}</TxSts>${reasonOf(each.reason, each.text)}</TxInfAndSts>`,
  );
  const ofGroup = group === undefined ? '' : `<PmtInfSts>${group.status}</PmtInfSts>${reasonOf(group.reason)}`;
  const payments =
    group === undefined && answers.length === 0
      ? ''
      : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${ofGroup}${transactions.join('')}</OrgnlPmtInfAndSts>`;
  reports += 1;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>R${reports}</MsgId><CreDtTm>2026-11-23T10:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${said}</OrgnlGrpInfAndSts>
${payments}
</CstmrPmtStsRpt></Document>`;
}
