/** The operation that says where an environment stands, in one answer. What is read: `figures.ts`. */
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import type { RateSource } from '../../ledger/exchanges/rate-source.ts';
import { environmentNow } from '../../platform/http/clock.ts';
import { paramError } from '../../platform/http/request/params.ts';
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import { assertUnrestricted, type Service } from '../../platform/http/service.ts';
import {
  aroundFrom,
  aroundOf,
  bankFrom,
  banksOf,
  type Found,
  foundFrom,
  MOST_COUNTED,
  MOST_ENDED,
  movedOf,
  openOf,
  sumsFrom,
  type What,
} from './figures.ts';
import { MOST_DAYS, renderSummary, summaryQuery, USUAL_DAYS } from './schema.ts';

const route = routesOf('Summary', 'summary');

const COUNTED = { count: 0, amount: 0, amount_minor: 0 } as const;
const EXAMPLE = {
  object: 'summary',
  livemode: false,
  as_of: 1_732_184_000,
  lag_seconds: 0,
  from: '2024-10-23',
  to: '2024-11-21',
  complete: true,
  currencies: [
    {
      currency: 'EUR',
      balance: 77_568_028,
      balance_minor: 77_568_028,
      in_flight: { count: 88, amount: 41_204.1, amount_minor: 4_120_410 },
      held: { count: 7, amount: 20_233.73, amount_minor: 2_023_373, oldest_at: 1_732_176_800 },
      waiting: { ...COUNTED, oldest_at: null },
      unmatched: { count: 3, amount: 1204, amount_minor: 120_400, oldest_on: '2024-11-17' },
      fees: 12.5,
      fees_minor: 1_250,
      days: [
        {
          day: '2024-11-21',
          in: 5_000,
          in_minor: 500_000,
          in_count: 4,
          out: 1_988.4,
          out_minor: 198_840,
          out_count: 12,
        },
      ],
    },
  ],
  payouts: { held: 7, waiting: 0, failed: 2, returned: 0 },
  webhooks: { failing: 1, first_failed_at: 1_732_183_200, oldest_undelivered_at: 1_732_183_180 },
  bank: [
    {
      bank_account: 'ba_01jd3v9q4ne8v8k3w2m6r5t7xa',
      name: 'Nordbank',
      currency: 'EUR',
      proved_until_on: '2024-11-20',
      proof: 'ok',
      drift: 0,
      drift_minor: 0,
      unanswered_files: 1,
      oldest_unanswered_at: 1_732_180_000,
    },
  ],
  verification: { status: 'clean', finished_at: 1_732_158_000, damages_count: 0 },
  backup_at: 1_732_150_000,
  rates_at: 1_732_147_200,
};

export function summaryRoutes(service: Service, rates: Pick<RateSource, 'table'>): Route[] {
  return [
    route('retrieveSummary', 'GET /v1/summary', {
      summary: 'Retrieve a summary',
      description:
        'Where the environment stands, and what needs attention, in one answer that takes some milliseconds however long the history is. Money in and out by day is what moved between your books and banks: a payout counts on the day on which it was paid. A booking that was voided counts on both sides.',
      query: summaryQuery,
      response: answers('Summary', EXAMPLE),
      errors: ['account_not_allowed'],
      handle: async ({ caller, query }) => {
        assertUnrestricted(caller, 'the summary is about the money of all accounts');
        const { environmentId, livemode } = caller;
        const { rows } = service;
        const nowMs = await environmentNow(service, environmentId);
        const days = daysOf(nowMs, query);
        const [moved, open, [around], banks] = await Promise.all([
          rows(movedOf(environmentId, days)),
          rows(openOf(environmentId, nowMs - DAY_MS)),
          rows(aroundOf(environmentId)),
          rows(banksOf(environmentId)),
        ]);
        const found = open.map(foundFrom);
        const table = rates.table(livemode, Date.now());
        const body = renderSummary({
          livemode,
          nowMs,
          ...days,
          sums: sumsFrom(moved),
          found,
          isComplete: isComplete(found),
          around: aroundFrom(around ?? {}),
          banks: banks.map(bankFrom),
          ratesMs: 'unavailable' in table ? null : table.at,
        });
        return { status: 200, body };
      },
    }),
  ];
}

/** Throws `parameter_invalid`. */
function daysOf(nowMs: number, query: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const to = query.to ?? isoDay(nowMs);
  const from = query.from ?? isoDay(dayStartMs(to) - (USUAL_DAYS - 1) * DAY_MS);
  const days = (dayStartMs(to) - dayStartMs(from)) / DAY_MS + 1;
  if (days < 1)
    throw paramError('parameter_invalid', query.to === undefined ? 'from' : 'to', 'to must not be before from.');
  if (days > MOST_DAYS) {
    const message = `From ${from} to ${to} are ${days} days, and a summary has at most ${MOST_DAYS}. Name a later from.`;
    throw paramError('parameter_invalid', 'from', message);
  }
  return { from, to };
}

/** Whether no kind has reached the number up to which it is counted. */
function isComplete(found: readonly Found[]): boolean {
  const counts = new Map<What, bigint>();
  for (const { what, count } of found) counts.set(what, (counts.get(what) ?? 0n) + count);
  return [...counts].every(([what, count]) => count < (isEnd(what) ? MOST_ENDED : MOST_COUNTED));
}

const isEnd = (what: What): boolean => what === 'failed' || what === 'returned';
