/** The operations of reconciliations: the report of a month, and a signature under it. What the figures are: `report.ts`; from where: `sql.ts`. */
import { idOf } from '../../core/values/ids.ts';
import { actorOf } from '../../core/actor.ts';
import { environmentNow } from '../../platform/http/clock.ts';
import { BOM_FIELD, bomFor, formatIn, formOf, formsOf } from '../../platform/http/request/forms.ts';
import { CSV_TYPE, fileNamed } from '../../platform/http/csv.ts';
import { optional, params, pathId, text } from '../../platform/http/request/params.ts';
import { answers, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import { assertUnrestricted, missing, type Service } from '../../platform/http/service.ts';
import type { ReconciliationCommand } from './slice.ts';
import { csvOf } from './csv-schema.ts';
import { REPORT, SIGNATURE } from './examples.ts';
import type { Month } from './fields.ts';
import { sha256Of } from './hashing.ts';
import { type Report, reportOf } from './report.ts';
import { canonicalJson, renderReport, type Signature } from './schema.ts';
import { figuresFrom, figuresOf, monthFrom, monthOf, payoutsUnderWay, signatureOf, underWayFrom } from './sql.ts';

const route = routesOf('Reconciliation', 'reconciliation');

const month = text({
  kind: 'code',
  max: 20,
  pattern: /^20\d\d-(?:0[1-9]|1[0-2])$/,
  shape: 'a month such as 2026-11',
  description: 'The month, by the booking days of the bank.',
  example: '2026-11',
});
const FORMS = formsOf({ json: 'application/json', csv: 'text/csv' });
const query = params({
  month,
  ...formatIn(FORMS, 'The format.'),
  ...BOM_FIELD,
});
const signing = params({
  month,
  ...optional({
    sha256: text({
      kind: 'code',
      max: 64,
      pattern: /^[0-9a-f]{64}$/,
      shape: '64 hexadecimal digits',
      description: 'The `sha256` of the report that you have read. Another report is not signed.',
      example: REPORT.sha256,
    }),
  }),
});

export function reconciliationRoutes(service: Service<ReconciliationCommand>): Route[] {
  return [
    route('retrieveReconciliation', 'GET /v1/bank_accounts/:id/reconciliation', {
      summary: 'Reconcile a month of a bank account',
      description:
        'Opening and closing balance, money in and out by place, money without a place, payouts on their way by age, and the proof against the bank’s balances. Once the month is over the answer stays the same to the byte. Exceptions are a late file about it, an abandoned payment file of it, and a signature.',
      query,
      response: answers('Reconciliation', REPORT),
      forms: FORMS,
      errors: ['account_not_allowed', 'parameter_conflict'],
      handle: async (call) => {
        const report = await read(service, call, call.query.month);
        const canonical = canonicalJson(report);
        const form = formOf(call);
        const bom = bomFor(call.query.bom, form);
        if (form !== 'csv') {
          return { status: 200, body: renderReport(canonical, await signature(service, call, report)) };
        }
        const headers = fileNamed(`reconciliation_${report.bankAccount}_${report.month}.csv`);
        return { status: 200, body: bom + csvOf(report, sha256Of(canonical)), contentType: CSV_TYPE, headers };
      },
    }),
    route('signReconciliation', 'POST /v1/bank_accounts/:id/reconciliation/sign', {
      summary: 'Sign the reconciliation of a month',
      description:
        'Keeps the hash of the report in the audit log, with the key that asked. The report then says whether it has changed since. Sign again after a change.',
      body: signing,
      request: { month: '2026-10' },
      response: answers('ReconciliationSignature', SIGNATURE),
      errors: ['bank_month_open', 'reconciliation_changed', 'account_not_allowed'],
      handle: async (call) => {
        const report = await read(service, call, call.body.month);
        const { bankAccount, month: of, closing, proof } = report;
        const { endsMs, lastDay } = report.of;
        const sha256 = sha256Of(canonicalJson(report));
        const given = call.body.sha256 ?? null;
        const signed = { bankAccount, month: of, endsMs, lastDay, sha256, given, closing, proof };
        return service.write(call, { type: 'sign_reconciliation', ...signed });
      },
    }),
  ];
}

/** The report as its entries are now. Payouts are read first: what the bank books meanwhile then is no longer on its way. */
async function read(service: Service, { caller, ...call }: Call<unknown, unknown>, asked: string): Promise<Report> {
  const { environmentId, livemode } = caller;
  assertUnrestricted(caller, 'a bank account holds money of all of them');
  const bankAccount = pathId(call, 'ba');
  const [row] = await service.rows(monthOf(environmentId, bankAccount, `${asked}-01`));
  if (!row) throw missing('bank account', bankAccount);
  const found = monthFrom(row);
  const nowMs = await environmentNow(service, environmentId);
  const isClosed = found.endsMs <= nowMs;
  const of: Month = { ...found, isClosed, untilMs: isClosed ? found.endsMs : nowMs + 1 };
  const underWay = (await service.rows(payoutsUnderWay(environmentId, bankAccount, of.untilMs))).map(underWayFrom);
  const named = [...new Set(underWay.flatMap(({ payout, file }) => [payout, file]))];
  const [figures] = await service.rows(figuresOf(environmentId, bankAccount, of, named));
  return reportOf({ bankAccount, livemode, of }, figuresFrom(figures as NonNullable<typeof figures>), underWay);
}

async function signature(
  service: Service,
  { caller }: Call<unknown, unknown>,
  { bankAccount, month: asked }: Report,
): Promise<Signature | null> {
  const [row] = await service.rows(signatureOf(caller.environmentId, bankAccount, asked));
  if (!row) return null;
  return {
    entry: idOf('aud', row['id'] as string),
    sha256: row['sha256'] as string,
    signedBy: actorOf(row['actor'] as string | null),
    signedAtMs: row['created_at'] as number,
  };
}
