/** What needs somebody, of a summary: worst first, nothing that is zero. */
import type { CurrencySummary, Instant, Summary } from '../../api/shapes.ts';
import { countOf } from '../../ui/digits.ts';

export interface Item {
  readonly key: string;
  readonly text: string;
  readonly isBad: boolean;
  /** Sums by currency, in minor units. */
  readonly sums: readonly { readonly minor: number; readonly currency: string }[];
  /** Since when, or how old the oldest is. */
  readonly since: Instant | null;
  /** `oldest`, or `since`. */
  readonly sinceWord: string;
  /** The list behind the number. */
  readonly to: string | null;
}

const many = (count: number, one: string, more: string): string => `${countOf(count)} ${count === 1 ? one : more}`;

export function attentionOf(summary: Summary): readonly Item[] {
  const { currencies, payouts, webhooks, bank, verification } = summary;
  const items: Item[] = [];
  const add = (key: string, text: string, more: Partial<Omit<Item, 'key' | 'text'>> = {}) =>
    items.push({ key, text, isBad: false, sums: [], since: null, sinceWord: 'oldest', to: null, ...more });

  if (verification?.status === 'damaged')
    add('books', `The books do not agree: ${many(verification.damages_count, 'break', 'breaks')}`, {
      isBad: true,
      since: verification.finished_at,
      sinceWord: 'found',
    });
  if (payouts.held > 0)
    add('held', `${many(payouts.held, 'payout waits', 'payouts wait')} for approval`, {
      ...summed(currencies, 'held'),
      to: '/approvals',
    });
  const waiting = currencies.reduce((sum, { waiting }) => sum + waiting.count, 0);
  if (waiting > 0)
    add('waiting', `${many(waiting, 'payout waits', 'payouts wait')} for money`, {
      ...summed(currencies, 'waiting'),
      to: '/payouts?state=waiting',
    });
  if (payouts.failed > 0)
    add('failed', `${many(payouts.failed, 'payout', 'payouts')} failed in the last 24 hours`, {
      isBad: true,
      to: '/payouts?state=failed',
    });
  if (payouts.returned > 0)
    add('returned', `${many(payouts.returned, 'payout', 'payouts')} came back in the last 24 hours`, {
      isBad: true,
      to: '/payouts?state=returned',
    });
  const unmatched = currencies.reduce((sum, { unmatched }) => sum + unmatched.count, 0);
  if (unmatched > 0)
    add('unmatched', `${many(unmatched, 'bank entry has', 'bank entries have')} no place`, {
      ...summed(currencies, 'unmatched'),
      to: '/unmatched',
    });
  for (const account of bank) {
    const name = account.name ?? 'A bank account';
    if (account.drift_minor !== null && account.drift_minor !== 0)
      add(`drift ${account.bank_account}`, `${name}: bank and books differ`, {
        isBad: true,
        sums: [{ minor: account.drift_minor, currency: account.currency }],
      });
    if (account.unanswered_files > 0)
      add(
        `files ${account.bank_account}`,
        `${name}: ${many(account.unanswered_files, 'file', 'files')} without an answer`,
        {
          since: account.unanswered_since ?? null,
        },
      );
  }
  if (webhooks.failing > 0)
    add('webhooks', many(webhooks.failing, 'endpoint fails', 'endpoints fail'), {
      isBad: true,
      since: webhooks.failing_since ?? null,
      sinceWord: 'first failed',
      to: '/webhooks',
    });
  return items;
}

function summed(currencies: readonly CurrencySummary[], what: 'held' | 'waiting' | 'unmatched') {
  const those = currencies.filter((each) => each[what].count > 0);
  const sums = those.map((each) => ({ minor: each[what].amount_minor, currency: each.currency }));
  const olds = those.map((each) => oldestOf(each[what])).filter((each) => each !== null);
  return { sums, since: olds.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? null };
}

const oldestOf = (of: { readonly oldest_at?: Instant | null; readonly oldest_on?: string | null }): Instant | null =>
  of.oldest_at ?? of.oldest_on ?? null;
