/** Reports of a bank on payment files (pain.002) from a few words, for tests of what reads them. */

export interface WrittenAnswer {
  readonly endToEndId?: string;
  readonly uetr?: string;
  readonly status: string;
  readonly reason?: string;
  readonly text?: string;
}

export interface WrittenReport {
  /** `MsgId` of the file that it is about. */
  readonly messageId: string;
  readonly status?: string;
  readonly reason?: string;
  readonly text?: string;
  /** Numbers of payments by status. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Of its one group. */
  readonly group?: { readonly status: string; readonly reason?: string };
  readonly answers?: readonly WrittenAnswer[];
}

const elementOf = (name: string, content: string | number | undefined): string =>
  content === undefined ? '' : `<${name}>${content}</${name}>`;

function reasonOf(reason: string | undefined, text?: string): string {
  if (reason === undefined && text === undefined) return '';
  const code = reason === undefined ? '' : `<Rsn><Cd>${reason}</Cd></Rsn>`;
  return `<StsRsnInf>${code}${elementOf('AddtlInf', text)}</StsRsnInf>`;
}

const countsOf = (counts: NonNullable<WrittenReport['counts']>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${elementOf('DtldNbOfTxs', count)}${elementOf('DtldSts', status)}`)
    .map((each) => `<NbOfTxsPerSts>${each}</NbOfTxsPerSts>`)
    .join('');

let reports = 0;

/** A document of its own each time. */
export function pain002({ messageId, status, reason, text, counts = {}, group, answers = [] }: WrittenReport): string {
  const said = `${elementOf('GrpSts', status)}${reasonOf(reason, text)}${countsOf(counts)}`;
  const transactions = answers.map(
    (each) =>
      `<TxInfAndSts>${elementOf('OrgnlEndToEndId', each.endToEndId)}${elementOf('OrgnlUETR', each.uetr)}<TxSts>${each.status}</TxSts>${reasonOf(each.reason, each.text)}</TxInfAndSts>`,
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
