/** What would happen, as the service said in the dry run, and the button that makes it happen. */
import { Button } from '@mantine/core';
import type { Account } from '../../../../client/src/generated/types.ts';
import type { Write } from '../../api/writes.ts';
import { countOf } from '../../ui/digits.ts';
import { shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Facts } from '../../ui/page.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import type { Tried } from './check.ts';
import type { LeftAtBank } from './paying.ts';

interface Props {
  readonly tried: Tried;
  /** Those whose names are known. */
  readonly accounts: readonly Account[];
  readonly atBanks: readonly LeftAtBank[];
  readonly create: Write<object, unknown>;
  submit(): void;
}

export function Create({ tried, accounts: known, atBanks, create, submit }: Props) {
  const { results, totals, accounts, warnings } = tried;
  const nameOf = (id: string): string => known.find((each) => each.id === id)?.name ?? shortId(id);
  const rejected = results.filter(({ error }) => error !== undefined).length;
  const fresh = results.filter((result) => result.recipient_match === 'new').length;
  const before = new Set(warnings.filter(({ payout }) => payout !== null).map(({ index }) => index)).size;
  const held = totals.reduce((sum, total) => sum + total.held_count, 0);
  const count = results.length - rejected;
  return (
    <>
      <Facts
        rows={[
          ...totals.map(
            (total) =>
              [
                `Total ${total.currency}`,
                <span key="">
                  <Money minor={total.amount_minor} currency={total.currency} /> for {countOf(total.payouts_count)}
                  {total.fees_minor > 0 && (
                    <>
                      , and <Money minor={total.fees_minor} currency={total.currency} /> fees
                    </>
                  )}
                </span>,
              ] as const,
          ),
          ...(accounts ?? []).map(
            ({ account, currency, balance_minor, balance_after_minor }) =>
              [
                account === null ? `New account in ${currency}` : `${nameOf(account)} · ${currency}`,
                <span key={account}>
                  <Money minor={balance_minor} currency={currency} /> →{' '}
                  <Money minor={balance_after_minor} currency={currency} />
                </span>,
              ] as const,
          ),
          ...atBanks.map(
            ({ name, currency, before, after }) =>
              [
                `At ${name}`,
                <span key={name}>
                  <Money minor={before} currency={currency} /> → <Money minor={after} currency={currency} />
                  {after < 0n && <span className="bad"> is not enough</span>}
                </span>,
              ] as const,
          ),
          ['New recipients', fresh === 0 ? null : countOf(fresh)],
          ['Wait for approval', held === 0 ? null : countOf(held)],
          ['Paid the same before', before === 0 ? null : `${countOf(before)}: look at them, or leave them out`],
        ]}
      />
      {rejected > 0 && (
        <p className="bad">
          {rejected === 1 ? 'One row' : `${countOf(rejected)} rows`} would be refused. Mend them or leave them out;
          nothing is created until then.
        </p>
      )}
      <Trouble error={create.error} />
      <div className="buttons">
        <Button disabled={rejected > 0} loading={create.isBusy} onClick={submit}>
          Create {countOf(count)} {count === 1 ? 'payout' : 'payouts'}
        </Button>
      </div>
    </>
  );
}
