/** The reconciliation of a bank account as CSV: a line a figure, for a spreadsheet. It says what the JSON says. */
import { majorOf } from '../../core/values/money.ts';
import { textCell } from '../../core/values/csv.ts';
import { csvLine } from '../../platform/http/csv.ts';
import type { Proved, Sides } from './fields.ts';
import type { Report } from './report.ts';

const COLUMNS = ['section', 'item', 'count', 'amount', 'amount_minor', 'day', 'text'];

interface Line {
  readonly item: string;
  readonly count?: number;
  readonly minor?: bigint;
  readonly day?: string | null;
  readonly text?: string | null;
}

export function csvOf(report: Report, sha256: string): string {
  const { of, unmatched, inTransit, proof } = report;
  const sections: Readonly<Record<string, readonly Line[]>> = {
    bank_account: [
      { item: 'id', text: report.bankAccount },
      { item: 'month', text: report.month },
      { item: 'currency', text: of.currency },
      { item: 'time_zone', text: of.timeZone },
      { item: 'status', text: of.isClosed ? 'closed' : 'open' },
    ],
    balance: [
      { item: 'opening', minor: report.opening, day: of.firstDay },
      { item: 'in', count: report.in.count, minor: report.in.amount },
      { item: 'out', count: report.out.count, minor: -report.out.amount },
      { item: 'closing', minor: report.closing, day: of.lastDay },
    ],
    places: report.places.flatMap(({ place, ...each }) => sidesOf(place, each)),
    unmatched: [
      ...sidesOf('opening', unmatched.before),
      ...sidesOf('closing', unmatched.after),
      { item: 'entries', count: unmatched.count, day: unmatched.oldest },
    ],
    in_transit: [
      { item: 'all', count: inTransit.count, minor: inTransit.amount },
      ...inTransit.ages.map(({ fromDays, toDays, count, amount }) => {
        return { item: `days_${fromDays}_${toDays === null ? 'on' : `to_${toDays}`}`, count, minor: amount };
      }),
    ],
    proof: [
      { item: 'status', text: proof },
      { item: 'statements', count: report.statements },
      { item: 'gaps', count: report.gaps },
      { item: 'failed', count: report.failed },
      { item: 'entries_behind', count: report.behind },
      ...provedLines('opening', report.provedBefore),
      ...provedLines('closing', report.provedAtEnd),
      { item: 'sha256', text: sha256 },
    ],
  };
  const lines = Object.entries(sections).flatMap(([section, all]) =>
    all.map((line) => lineOf(section, line, of.currency)),
  );
  return csvLine(COLUMNS) + lines.join('');
}

const sidesOf = (item: string, { in: came, out: went }: Sides): Line[] => [
  { item: `${item}_in`, minor: came },
  { item: `${item}_out`, minor: -went },
];

const provedLines = (item: string, proved: Proved | null): Line[] =>
  (proved === null ? [] : [proved]).flatMap(({ closing, ledger, closedOn: day, statement }) => [
    { item: `${item}_bank`, minor: closing, day, text: statement },
    { item: `${item}_ledger`, minor: ledger, day },
  ]);

function lineOf(section: string, { item, count, minor, day, text }: Line, currency: string): string {
  const amount = minor === undefined ? '' : majorOf(minor, currency);
  const counted = count === undefined ? '' : String(count);
  return csvLine([section, item, counted, amount, String(minor ?? ''), day ?? '', text == null ? '' : textCell(text)]);
}
