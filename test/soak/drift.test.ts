/**
 * A statement that contradicts the ledger stops the exports of its bank account, those by the clock too, until a person resumes them. Control:
 * with `on_drift=warn` the same statement stops nothing.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBusinessDays } from '../../src/core/rails/business-days.ts';
import { isoDay } from '../../src/core/values/time.ts';
import { camt } from '../support/bank/camt.ts';
import { nextAt } from '../support/faults/stop-at.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { eventually } from '../support/harness/eventually.ts';
import type { Client, Json } from '../support/harness/http.ts';
import { outcome } from '../support/harness/probe-client.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { handedIn } from '../support/bank/hand-in.ts';

const DAY_MS = 86_400_000;
/** Hours of UTC. Another one in the afternoon, so that the half hour before the cut-off has not begun when the test does. */
const CUT_OFF_HOUR = [12, 13, 14].includes(new Date().getUTCHours()) ? 20 : 14;
const IBAN = 'DE89370400440532013000';

let application: Application;
beforeAll(async () => {
  application = await startApplication({ config: { exportSchedulePollMs: 20 } });
});
afterAll(() => application?.stop());

/** Resolves when the schedule has looked from beginning to end, and what it opened is sealed. */
async function aRound(...tenants: readonly Drifting[]): Promise<void> {
  await nextAt('payment_schedule.looked', 2); // the first round may have begun before
  const files = async () => (await Promise.all(tenants.map((each) => each.files()))).flat();
  await eventually('files are sealed', async () => (await files()).every(({ status }) => status === 'sealed'));
}

/** A tenant whose bank account exports by itself, a payout that waits for the cut-off, and a bank that says another balance. */
class Drifting {
  readonly #client: Client;
  bank = '';
  #recipient = '';

  constructor(client: Client) {
    this.#client = client;
  }

  readonly post = async (path: string, body: object) => must(await this.#client.post(path, body)).json;
  readonly list = async (path: string) => must(await this.#client.get(path)).json['data'] as Json[];
  readonly tries = async (path: string, body: object) => outcome(await this.#client.post(path, body));
  readonly files = () => this.list('/v1/payment_files');

  async begin(onDrift: string): Promise<void> {
    const account = (await this.post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
    await this.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 50 });
    const payee = {
      name: 'Ada Lovelace',
      type: 'individual',
      currency: 'EUR',
      country: 'DE',
      iban: 'DE02120300000000202051',
    };
    this.#recipient = (await this.post('/v1/recipients', payee))['id'] as string;
    const bank = {
      currency: 'EUR',
      country: 'DE',
      holder: 'Rossum GmbH',
      bank_details: { iban: IBAN },
      cut_off: `${CUT_OFF_HOUR}:30`,
      time_zone: 'UTC',
      exports: 'before_cut_off',
      on_drift: onDrift,
    };
    this.bank = (await this.post('/v1/bank_accounts', bank))['id'] as string;
    await this.pay();
  }

  pay = () => this.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient: this.#recipient });

  /** A statement that is issued again without an entry that was booked: it drifts. */
  async drift(day: string): Promise<string> {
    for (const amounts of [['40.00', '100.00'], ['40.00']]) {
      const entries = amounts.map((amount) => ({ amount, reference: amount }));
      const closing = amounts.reduce((sum, amount) => sum + Number(amount), 0).toFixed(2);
      must(await handedIn(this.#client, camt([{ iban: IBAN, id: 'S1', day, opening: '0.00', closing, entries }])));
    }
    const [statement] = await this.list('/v1/bank_statements?proof=drift');
    expect(statement).toMatchObject({ difference_minor: -10_000 });
    return statement?.['id'] as string;
  }

  moveTo = (instant: string) =>
    this.post('/v1/test_helpers/clock/advance', { seconds: Math.floor((Date.parse(instant) - Date.now()) / 1000) });
}

it('stops exports, by hand and by the clock, until a person resumes; and not where the setting only warns', async () => {
  const [stopping, warning] = [application.sandbox, application.otherSandbox].map(
    ({ client }) => new Drifting(client),
  ) as [Drifting, Drifting];
  const day = addBusinessDays('target', isoDay(Date.now() + DAY_MS), 0);
  await stopping.begin('stop_exports');
  await warning.begin('warn');
  const statement = await stopping.drift(isoDay(Date.now()));
  await warning.drift(isoDay(Date.now()));
  const { bank } = stopping;
  expect(await stopping.list('/v1/bank_accounts')).toMatchObject([{ exports_stopped_by: statement }]);
  expect(
    (await stopping.list('/v1/events?types[]=bank_account.exports_stopped')).map(({ data }) => data),
  ).toMatchObject([
    { object: { id: bank, exports_stopped_by: statement }, previous_attributes: { exports_stopped_by: null } },
  ]);
  expect(await warning.list('/v1/bank_accounts')).toMatchObject([{ exports_stopped_by: null }]);

  for (const each of [stopping, warning]) await each.moveTo(`${day}T${CUT_OFF_HOUR}:10:00Z`);
  await aRound(stopping, warning);
  expect(await warning.files()).toMatchObject([{ payouts_count: 1, created_by: 'worker' }]); // control
  expect(await stopping.files()).toEqual([]);
  expect(await stopping.tries('/v1/payment_files', { bank_account: bank })).toBe('400 exports_stopped bank_account');
  expect(await stopping.post('/v1/payment_files', {})).toMatchObject({
    planned: [],
    files: [],
    held: [
      { reason: 'exports_stopped', payouts_count: 1, total_minor: 100, message: expect.stringContaining(statement) },
    ],
  });

  const resume = `/v1/bank_accounts/${bank}/resume_exports`;
  expect(await stopping.tries(resume, {})).toBe('400 parameter_missing reason');
  expect(await stopping.post(resume, { reason: 'The bank had sent a draft' })).toMatchObject({
    exports_stopped_by: null,
  });
  expect(await stopping.tries(resume, { reason: 'Again' })).toBe('400 exports_not_stopped');
  expect((await stopping.list(`/v1/audit_log?subject=${bank}`)).slice(0, 2)).toMatchObject([
    { action: 'bank_account.exports_resumed', details: { statement, reason: 'The bank had sent a draft' } },
    { action: 'bank_account.exports_stopped', details: { statement, difference: '-10000' } },
  ]);
  await aRound(stopping, warning);
  expect(await stopping.files()).toMatchObject([{ payouts_count: 1, created_by: 'worker', execution_on: day }]);
});
