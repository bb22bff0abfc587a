/** Whom, how much, from which account, and what the recipient reads: of one payout, and of one that is made again and again. */
import { TextInput } from '@mantine/core';
import type { Recipient } from '../../../client/src/generated/types.ts';
import { AccountField } from './account-field.tsx';
import { MOST } from './most.ts';
import { RecipientField } from './recipient-field.tsx';

interface Paying {
  readonly recipient: string;
  /** That of the recipient. */
  readonly currency: string;
  readonly amount: string;
  readonly account: string;
  readonly reference: string;
}

interface Props {
  readonly values: Paying;
  set(change: Partial<Paying>): void;
  readonly recipient: Recipient | null;
  choose(recipient: Recipient | null): void;
  readonly amountHint?: string;
  readonly referenceHint: string;
  faultAt(param: string): string | undefined;
}

export function PayFields({ values, set, recipient, choose, amountHint, referenceHint, faultAt }: Props) {
  const { currency } = values;
  return (
    <>
      <RecipientField
        chosen={recipient}
        choose={(next) => {
          choose(next);
          const other = next?.currency ?? '';
          set({ recipient: next?.id ?? '', currency: other, ...(other !== currency && { account: '' }) });
        }}
        error={faultAt('recipient')}
      />
      <TextInput
        label={currency === '' ? 'Amount' : `Amount in ${currency}`}
        description={amountHint}
        inputMode="decimal"
        value={values.amount}
        onChange={(event) => set({ amount: event.currentTarget.value })}
        error={faultAt('amount')}
        autoComplete="off"
      />
      <AccountField
        label="From"
        placeholder="The main account"
        currency={currency}
        value={values.account}
        onChange={(account) => set({ account })}
        error={faultAt('account')}
      />
      <TextInput
        label="Reference"
        description={referenceHint}
        value={values.reference}
        maxLength={MOST.payoutReference}
        onChange={(event) => set({ reference: event.currentTarget.value })}
        error={faultAt('reference')}
        autoComplete="off"
      />
    </>
  );
}
