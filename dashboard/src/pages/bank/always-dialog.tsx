/** A rule from an entry: money like it goes to one place from now on. */
import type { BankEntry } from '../../../../client/src/bursar.ts';
import { MOST } from '../../ui/most.ts';
import { RuleDialog } from './rule-dialog.tsx';

interface Props {
  readonly entry: BankEntry;
  close(): void;
}

export function AlwaysDialog({ entry, close }: Props) {
  const { bank_account, currency, direction } = entry;
  const said = entry.remittance.text ?? entry.counterparty.name ?? '';
  return (
    <RuleDialog
      title="Always do this"
      of={{ bank_account, direction }}
      currency={currency}
      text={said === '' ? '' : `*${said.slice(0, MOST.ruleText - 2)}*`}
      about={
        <p>
          {direction === 'credit' ? 'Money that comes in' : 'Money that goes out'} with such a text goes to one place
          from now on, unless it names something of yours. This entry stays as it is.
        </p>
      }
      close={close}
    />
  );
}
