/** What a payout would do, as the service says in its dry run: the balance behind it, fees, the day it arrives, and who has to approve it. */
import type { Account, PayoutDryRun } from '../../../../client/src/bursar.ts';
import { Money } from '../../ui/money.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { holdsInWords, isHeld, payoutState } from '../../ui/payout-words.ts';
import { State } from '../../ui/state.tsx';
import { Day } from '../../ui/time.tsx';
import { categoryWord } from '../../ui/words.ts';
import { balanceAfter } from './order.ts';

interface Props {
  readonly tried: PayoutDryRun | undefined;
  readonly accounts: readonly Account[];
}

export function Would({ tried, accounts }: Props) {
  if (tried === undefined) {
    return (
      <Card title="What would happen">
        <p className="muted">Choose a recipient and an amount. Nothing is paid before you press Pay.</p>
      </Card>
    );
  }
  const { currency, fees, destination, release, expected_arrival_on: arrival, expected_execution_on: leaves } = tried;
  const account = accounts.find(({ id }) => id === tried.account);
  return (
    <Card title="What would happen">
      <Facts
        rows={[
          ['Amount', <Money key="" minor={tried.amount_minor} currency={currency} />],
          [
            fees.length > 1 ? 'Fees' : 'Fee',
            fees.length === 0
              ? null
              : fees.map((fee) => (
                  <div key={fee.fee_rule}>
                    <Money minor={fee.amount_minor} currency={fee.currency} />
                  </div>
                )),
          ],
          ['To', destination === null ? null : <bdi key="">{destination.name}</bdi>],
          ['What it is', categoryWord(tried.category_purpose)],
          ['State', <State key="" {...payoutState(tried)} />],
          ['Why', isHeld(tried) && release !== null ? holdsInWords(release.reasons) : null],
          ['Leaves', leaves === null ? null : <Day key="" on={leaves} />],
          ['Arrives by', arrival === null ? null : <Day key="" on={arrival} />],
          [
            account === undefined ? 'Balance' : accountName(account),
            account === undefined || account.currency !== currency || tried.status === 'waiting' ? null : (
              <span key="">
                <Money minor={account.balance} currency={currency} /> →{' '}
                <Money minor={balanceAfter(account.balance, tried)} currency={currency} />
              </span>
            ),
          ],
        ]}
      />
    </Card>
  );
}
