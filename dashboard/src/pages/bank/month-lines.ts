/**
 * Whether a month of a bank account may be signed, line by line: what is done, what is missing and where it is done. The report alone does not
 * say it: it counts imported statements, and one that waits for somebody is none yet. Pure. The page: `month.tsx`.
 */
import type { BankEntry, BankStatement, Reconciliation } from '../../../../client/src/generated/types.ts';
import type { PageOf } from '../../api/client.ts';
import { countOf, digitsOf } from '../../ui/digits.ts';
import { dayText } from '../../ui/instants.ts';
import { lastDayOf, monthWord } from './month-words.ts';

/** As many as were read, and whether there are more. */
type Read<T> = Pick<PageOf<T>, 'data' | 'hasMore'>;

export interface Line {
  readonly key: string;
  /** `note`: nothing is to be done about it, and whoever signs has seen it. */
  readonly state: 'done' | 'missing' | 'note';
  readonly words: string;
  /** Where it is done, and the words of the link. */
  readonly link?: { readonly to: string; readonly word: string };
}

export interface Known {
  readonly report: Reconciliation;
  /** Of the month after it: how far statements reach, and whether one is missing at the border. */
  readonly next: Reconciliation;
  /** Of this bank account, those that are not booked yet: `importing` and `needs_review`. */
  readonly waiting: Read<
    Pick<BankStatement, 'id' | 'status' | 'starts_on' | 'opened_on' | 'closed_on' | 'waiting_count'>
  >;
  /** Entries of this bank account without a place, as of now. */
  readonly unmatched: Read<Pick<BankEntry, 'booked_on'>>;
  /** By the environment's clock. */
  readonly nowMs: number;
}

/** `one` for 1, else `many`, behind the count: `3 entries`. */
export const some = (count: number, one: string, many: string): string =>
  `${countOf(count)} ${count === 1 ? one : many}`;

/** In the order in which a month is closed. */
export function linesOf(known: Known): readonly Line[] {
  return [over(known), reach(known), ...proofs(known), ...reviews(known), places(known), underWay(known)];
}

export const missingIn = (lines: readonly Line[]): readonly Line[] => lines.filter(({ state }) => state === 'missing');

const accountOf = ({ report }: Known): string => `/bank-accounts/${report.bank_account}`;
const sum = (minor: number, currency: string): string => `${digitsOf(minor, currency)} ${currency}`;

function over({ report, nowMs }: Known): Line {
  const { month, status, time_zone: zone } = report;
  if (status === 'closed') return { key: 'over', state: 'done', words: `${monthWord(month)} is over.` };
  const last = dayText(lastDayOf(month), nowMs);
  return {
    key: 'over',
    state: 'missing',
    words: `${monthWord(month)} is not over. It can be signed after ${last}, by the clock of ${zone.replaceAll('_', ' ')}.`,
  };
}

/** Only the first statement of the month after it says that nothing more belongs to this one. */
function reach(known: Known): Line {
  const { report, next, nowMs } = known;
  const last = lastDayOf(report.month);
  const until = next.proof.closing?.closed_on ?? null;
  const after = monthWord(next.month);
  const link = { to: accountOf(known), word: 'Import a file' };
  if (until === null)
    return { key: 'reach', state: 'missing', words: 'No statement with a balance has come yet.', link };
  if (until <= last) {
    const words = `Statements end with ${dayText(until, nowMs)}. Import those up to the end of the month, and the first one of ${after}: then nothing more can belong to it.`;
    return { key: 'reach', state: 'missing', words, link };
  }
  // The report of this month does not have the statement behind the hole.
  if (next.proof.gaps_count > 0) {
    const words = `In ${after} a statement does not follow on the one before it. What is missing may belong to this month.`;
    return {
      key: 'reach',
      state: 'missing',
      words,
      link: { to: `${accountOf(known)}?proof=gap`, word: 'Statements with a gap' },
    };
  }
  return {
    key: 'reach',
    state: 'done',
    words: `Statements reach to ${dayText(until, nowMs)}, so nothing more can belong to it.`,
  };
}

/** Each thing that is wrong has its line: the report names the worst alone. */
function proofs(known: Known): readonly Line[] {
  const { report, nowMs } = known;
  const { status, gaps_count: gaps, failed_count: failed, entries_behind_count: behind, closing } = report.proof;
  const { currency } = report;
  const at = (proof: string) => ({ to: `${accountOf(known)}?proof=${proof}`, word: 'Show them' });
  const missing = (key: string, words: string, link?: Line['link']): Line => ({
    key,
    state: 'missing',
    words,
    ...(link !== undefined && { link }),
  });
  const difference = closing?.difference_minor ?? 0;
  const lines = [
    ...(failed > 0
      ? [
          missing(
            'failed',
            `The entries of ${some(failed, 'statement', 'statements')} do not lead from its opening to its closing balance.`,
            at('failed'),
          ),
        ]
      : []),
    ...(gaps > 0
      ? [
          missing(
            'gap',
            `Before ${some(gaps, 'statement', 'statements')} another one is missing. Ask your bank for it.`,
            at('gap'),
          ),
        ]
      : []),
    ...(closing === null ? [missing('none', 'The bank has sent no balance, so nothing is proved.')] : []),
    ...(closing === null || difference === 0
      ? []
      : [
          missing('drift', `${driftWords(difference, currency)} on ${dayText(closing.closed_on, nowMs)}.`, {
            to: `/bank-statements/${closing.statement}`,
            word: 'Show it',
          }),
        ]),
    ...(behind > 0
      ? [
          missing(
            'behind',
            `${some(behind, 'entry comes', 'entries come')} after the last balance of the bank, and no balance proves ${behind === 1 ? 'it' : 'them'}.`,
          ),
        ]
      : []),
  ];
  if (lines.length > 0 || closing === null) return lines;
  // A word that is newer than this build is no proof.
  if (status !== 'ok') return [missing('proof', `The proof of the report is “${status}”.`)];
  const words = `Each statement follows on the one before, and the last balance of the bank is that of the books: ${sum(closing.closing_balance, currency)} on ${dayText(closing.closed_on, nowMs)}.`;
  return [{ key: 'proof', state: 'done', words }];
}

/** `The bank says 3.00 EUR more than the books`: from the bank's balance less that of the books, minor units. */
export function driftWords(minor: number, currency: string): string {
  const size = sum(Math.abs(minor), currency);
  return `The bank says ${size} ${minor > 0 ? 'more' : 'less'} than the books`;
}

/** Of this month or of one before it: what they add changes its balance. One without a day may be of any. */
function reviews(known: Known): readonly Line[] {
  const { report, waiting, nowMs } = known;
  const last = lastDayOf(report.month);
  const meant = waiting.data.filter((each) => (each.starts_on ?? each.opened_on ?? each.closed_on ?? '') <= last);
  const lines = meant.map((each): Line => {
    const day = each.closed_on === null ? 'without a day' : `of ${dayText(each.closed_on, nowMs)}`;
    const words =
      each.status === 'importing'
        ? `The statement ${day} is being read.`
        : `The statement ${day} waits for somebody: of ${some(each.waiting_count, 'entry', 'entries')} it is not certain whether ${each.waiting_count === 1 ? 'it is' : 'they are'} new.`;
    return { key: each.id, state: 'missing', words, link: { to: `/bank-statements/${each.id}`, word: 'Look at it' } };
  });
  if (waiting.hasMore)
    return [
      ...lines,
      {
        key: 'more',
        state: 'missing',
        words: 'More statements wait than are shown here.',
        link: { to: `${accountOf(known)}?status=needs_review`, word: 'Show them' },
      },
    ];
  return lines.length > 0 ? lines : [{ key: 'reviews', state: 'done', words: 'No statement waits for somebody.' }];
}

function places(known: Known): Line {
  const { report, unmatched } = known;
  const count = report.unmatched.entries_count;
  const isOver = report.status === 'closed';
  if (count === 0) {
    const words = isOver ? 'All money had its place when it ended.' : 'All money has its place so far.';
    return { key: 'places', state: 'done', words };
  }
  const { in_minor: came, out_minor: went } = report.unmatched.closing;
  const sums = [
    ...(came === 0 ? [] : [`${sum(came, report.currency)} in`]),
    ...(went === 0 ? [] : [`${sum(went, report.currency)} out`]),
  ].join(', ');
  const had = `${some(count, 'entry', 'entries')} (${sums}) ${isOver ? 'had no place when it ended' : count === 1 ? 'has no place' : 'have no place'}`;
  const link = { to: '/unmatched', word: 'Give them a place' };
  if (!isOver) return { key: 'places', state: 'missing', words: `${had}.`, link };
  const last = lastDayOf(report.month);
  const left = unmatched.data.filter(({ booked_on: on }) => on === null || on <= last).length;
  // What is given a place now counts now: the report of a month that is over stays as it is.
  if (left === 0 && !unmatched.hasMore)
    return {
      key: 'places',
      state: 'note',
      words: `${had}. By now ${count === 1 ? 'it has' : 'all have'} one, which the report of a later month shows.`,
    };
  const still = unmatched.hasMore && left === unmatched.data.length ? `${countOf(left)} or more` : countOf(left);
  return {
    key: 'places',
    state: 'missing',
    words: `${had}, and ${still} still ${left === 1 ? 'has' : 'have'} none.`,
    link,
  };
}

/** Whole days since payouts have left, from which on the guide says to ask the bank. */
const LONG_DAYS = 8;

function underWay({ report }: Known): Line {
  const { count, amount_minor: amount, ages } = report.in_transit;
  const isOver = report.status === 'closed';
  if (count === 0)
    return {
      key: 'under_way',
      state: 'done',
      words: isOver ? 'No payout was on its way when it ended.' : 'No payout is on its way.',
    };
  const long = ages.filter(({ from_days: from }) => from >= LONG_DAYS).reduce((all, each) => all + each.count, 0);
  const words = `${some(count, 'payout', 'payouts')} (${sum(amount, report.currency)}) ${isOver ? (count === 1 ? 'was' : 'were') : count === 1 ? 'is' : 'are'} on ${count === 1 ? 'its' : 'their'} way, not booked by the bank yet.`;
  const link = { to: '/files', word: 'Files' };
  if (long === 0) return { key: 'under_way', state: 'note', words, link };
  return {
    key: 'under_way',
    state: 'note',
    words: `${words} ${some(long, 'has', 'have')} been so for over a week: ask your bank.`,
    link,
  };
}

interface Standing {
  readonly mark: 'done' | 'wait' | 'going' | 'bad';
  readonly word: string;
}

/** The month in two or three words. A month that is not proved never looks closed, whoever has signed it. */
export function standingOf(
  { status, signature }: Pick<Reconciliation, 'status' | 'signature'>,
  missing: number,
): Standing {
  if (signature !== null && !signature.is_current) return { mark: 'bad', word: 'Changed since it was signed' };
  const open = missing === 1 ? '1 thing is missing' : `${countOf(missing)} things are missing`;
  if (signature !== null)
    return missing === 0 ? { mark: 'done', word: 'Signed' } : { mark: 'wait', word: `Signed, and ${open}` };
  if (status === 'open') return { mark: 'going', word: 'Not over' };
  return missing === 0 ? { mark: 'wait', word: 'Ready to be signed' } : { mark: 'wait', word: open };
}
