/**
 * Money that came or went at a bank and has no place in the books, the oldest first: whose it may be and why, and what to do about it. To
 * give it a place is no proof of anything: that is what statements are for.
 */
import { useList } from '../../api/reads.ts';
import { Empty, Failed, Loading } from '../../ui/conditions.tsx';
import { Go } from '../../ui/go.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { Button } from '@mantine/core';
import type { BankEntry } from '../../../../client/src/generated/types.ts';
import { useBankNames } from './bank-names.ts';
import { Entry } from './entry.tsx';
import classes from './unmatched.module.css';

const CURL = `curl ${location.origin}/v1/test_helpers/bank_accounts/$BANK_ACCOUNT/credit -H "Authorization: Bearer $BURSAR_KEY" \\
  -d amount=980.00 -d "text=RG 4711"`;

export function Unmatched() {
  const list = useList<BankEntry>(['bank_entries', 'unmatched'], (client) =>
    client.bankEntries.list({ status: 'unmatched', order: 'asc', limit: 100 }).page(),
  );
  const banks = useBankNames();
  const content = () => {
    if (list.error !== null) return <Failed error={list.error} again={list.again} what="entries of banks" />;
    if (list.isLoading) return <Loading lines={4} />;
    if (list.rows.length === 0)
      return <Empty curl={CURL}>All money has its place. In the sandbox this sends some that has none:</Empty>;
    return (
      <ul className={classes['entries']}>
        {list.rows.map((entry) => (
          <Entry key={entry.id} entry={entry} bank={banks.get(entry.bank_account) ?? null} />
        ))}
      </ul>
    );
  };
  return (
    <Page
      title="Unmatched"
      about={
        <span>
          Money at your bank that has no place in the books yet. <Go to="/bank-rules">Rules</Go> place what comes again
          and again.
        </span>
      }
    >
      {list.rows.length > 0 && <Sums entries={list.rows} hasMore={list.hasMore} />}
      {content()}
      {list.hasMore && (
        <Button variant="default" loading={list.isLoadingMore} onClick={list.more}>
          Show more
        </Button>
      )}
    </Page>
  );
}

/** In and out are not set off against each other. */
function Sums({ entries, hasMore }: { readonly entries: readonly BankEntry[]; readonly hasMore: boolean }) {
  const sums = new Map<string, { count: number; minor: bigint; currency: string; direction: string }>();
  for (const { currency, direction, amount_unassigned_minor: minor } of entries) {
    const key = `${direction} ${currency}`;
    const before = sums.get(key) ?? { count: 0, minor: 0n, currency, direction };
    sums.set(key, { ...before, count: before.count + 1, minor: before.minor + BigInt(minor) });
  }
  return (
    <p>
      {[...sums].map(([key, { count, minor, currency, direction }]) => (
        <span key={key} className={classes['sum']}>
          {count} {direction === 'credit' ? 'in' : 'out'}, <Money minor={minor} currency={currency} />
        </span>
      ))}
      {hasMore && <span className="muted">of those shown; more below</span>}
    </p>
  );
}
