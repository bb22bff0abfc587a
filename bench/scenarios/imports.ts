/**
 * A statement of a bank, imported over HTTP: entries a second from the first byte sent to the last one booked, the most memory that the server
 * held, and how long the reconciliation of that month then takes. One half names an account and is credited, the other half names nothing
 * and waits. Balances must be what the statement says.
 */
import { peakRssMb } from '../measure/proc.ts';
import { median } from '../measure/statistics.ts';
import { withClient } from '../setup/cluster.ts';
import { addTenants, type Tenant } from '../setup/environments.ts';
import { call } from '../setup/requests.ts';
import { startProduct } from '../setup/world.ts';
import { depositReference } from '../../src/core/rails/creditor-reference.ts';
import type { Bench } from './scenario.ts';

const FULL_ENTRIES = 20_000;
const QUICK_ENTRIES = 1_000;
const PER_SECOND = 500;
const MEMORY_MB = 700;
const REPORT_SECONDS = 1;
const REPORTS = 5;
const IBAN = 'DE89370400440532013000';
const WAIT_MS = 250;
const XML = { contentType: 'application/xml' };

export async function imports({ world: { cluster, options }, report }: Bench): Promise<void> {
  const count = options.quick ? QUICK_ENTRIES : FULL_ENTRIES;
  const databaseUrl = await cluster.createDatabase('bench_imports');
  const [tenant] = (await withClient(databaseUrl, (client) =>
    addTenants(client, [{ merchant: 'imports', livemode: true, currencies: ['EUR'] }]),
  )) as [Tenant];
  const program = await startProduct(cluster, options, databaseUrl);
  try {
    const { port } = program;
    const { key } = tenant;
    const get = (path: string) => call(port, { method: 'GET', path, key, body: null });
    const post = (path: string, body: string, type = {}) => call(port, { method: 'POST', path, key, body, ...type });
    const holder = `currency=EUR&country=DE&holder=Bench&bank_details[iban]=${IBAN}&cut_off=14:30&time_zone=UTC`;
    const bank = (JSON.parse(await post('/v1/bank_accounts', holder)) as { id: string }).id;
    report.progress(`imports: ${count.toLocaleString('en-US')} entries`);
    const file = statementOf(tenant.accounts[0] as string, count);
    const startedAt = performance.now();
    const { id } = JSON.parse(await post('/v1/statement_files', file, XML)) as { id: string };
    for (;;) {
      const { status } = JSON.parse(await get(`/v1/statement_files/${id}`)) as { status: string };
      if (status === 'imported') break;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const times: number[] = [];
    for (let n = 0; n < REPORTS; n += 1) {
      const before = performance.now();
      const shown = await get(`/v1/bank_accounts/${bank}/reconciliation?month=2026-10`);
      times.push((performance.now() - before) / 1000);
      assertBooked(shown, count);
    }
    const what = `imports, ${count.toLocaleString('en-US')} entries`;
    report.target(`${what}, entries a second`, '/s', count / seconds, { atLeast: PER_SECOND });
    report.target(`${what}, most memory of the server`, 'MB', peakRssMb(program.pid), { atMost: MEMORY_MB });
    report.target(`${what}, reconciliation of the month`, 's', median(times), { atMost: REPORT_SECONDS });
  } finally {
    await program.stop();
  }
}

function assertBooked(shown: string, count: number): void {
  const report = JSON.parse(shown) as {
    readonly closing_balance: number;
    readonly proof: { readonly status: string };
    readonly unmatched: { readonly entries_count: number };
  };
  const isRight = report.closing_balance === count * 100 && report.unmatched.entries_count === count / 2;
  if (!isRight || report.proof.status !== 'ok') throw new Error(`the books are wrong: ${shown}`);
}

/** Entries of 1.00 each, as long as banks write them; every other one names the account. */
function statementOf(account: string, count: number): string {
  const reference = depositReference(account);
  const entries = Array.from(
    { length: count },
    (
      _,
      n,
    ) => `<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-10-15</Dt></BookgDt><ValDt><Dt>2026-10-15</Dt></ValDt>
<AcctSvcrRef>20261015${n}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>E2E-${n}</EndToEndId></Refs>
<Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>Somebody with a long name</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>${n % 2 === 0 ? `Top up ${reference}` : `Invoice ${n} of October, thank you for your business`}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  const balance = (code: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-10-15</Dt></Dt></Bal>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>B1</MsgId><CreDtTm>2026-10-15T20:00:00+02:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-10-15T20:00:00+02:00</CreDtTm><Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', '0.00')}${balance('CLBD', `${count}.00`)}
${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`;
}
