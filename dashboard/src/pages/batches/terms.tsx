/** What holds for all payouts of a batch: its name, what it is, how the bank books it, and from where it is paid. */
import { Select, TextInput } from '@mantine/core';
import type { Account } from '../../../../client/src/generated/types.ts';
import { shortId } from '../../ui/id.tsx';
import { MOST } from '../../ui/most.ts';
import { CATEGORIES } from '../../ui/words.ts';
import classes from './batches.module.css';
import type { Terms } from './check.ts';
import { bankName, type PayingBank } from './paying.ts';

const CATEGORY_CHOICES = Object.entries(CATEGORIES).map(([value, label]) => ({ value, label }));
const BOOKINGS: Readonly<Record<'one' | 'each', string>> = { one: 'One entry', each: 'An entry each' };
const BOOKING_CHOICES = Object.entries(BOOKINGS).map(([value, label]) => ({ value, label }));
/** What the service takes for one entry where nothing is said. */
const BOOKED_AS_ONE: ReadonlySet<string> = new Set(['SALA', 'BONU', 'PENS']);

interface Props {
  readonly terms: Terms;
  readonly accounts: readonly Account[];
  readonly banks: readonly PayingBank[];
  /** A batch has the name already. */
  readonly isTaken: boolean;
  set(change: Partial<Terms>): void;
}

export function TermsFields({ terms, accounts, banks, isTaken, set }: Props) {
  return (
    <div className={classes['fields']}>
      <TextInput
        label="Name"
        description="A second upload under it is refused."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={terms.externalId}
        maxLength={MOST.batchName}
        onChange={(event) => set({ externalId: event.currentTarget.value })}
        error={isTaken ? 'A batch has this name already. Nothing was made.' : undefined}
        autoComplete="off"
      />
      <Select
        label="What it is"
        data={CATEGORY_CHOICES}
        placeholder="Nothing special"
        clearable
        value={terms.category === '' ? null : terms.category}
        onChange={(category) => set({ category: category ?? '' })}
      />
      <Select
        label="From"
        data={accounts.map(({ id, name, currency }) => ({ value: id, label: `${name ?? shortId(id)} · ${currency}` }))}
        placeholder="The oldest account"
        clearable
        value={terms.account === '' ? null : terms.account}
        onChange={(account) => set({ account: account ?? '' })}
      />
      {banks.length > 0 && (
        <>
          <Select
            label="Through"
            data={banks.map((bank) => ({ value: bank.id, label: `${bankName(bank)} · ${bank.currency}` }))}
            placeholder="The oldest bank account"
            clearable
            value={terms.bank === '' ? null : terms.bank}
            onChange={(bank) => set({ bank: bank ?? '' })}
          />
          <Select
            label="On your bank statement"
            data={BOOKING_CHOICES}
            placeholder={BOOKED_AS_ONE.has(terms.category) ? BOOKINGS.one : BOOKINGS.each}
            clearable
            value={terms.booking === '' ? null : terms.booking}
            onChange={(booking) => set({ booking: booking === 'one' || booking === 'each' ? booking : '' })}
          />
        </>
      )}
    </div>
  );
}
