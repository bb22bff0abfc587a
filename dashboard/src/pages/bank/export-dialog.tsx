/** Payouts leave in files for the bank. What would leave, and what stays and why, is said first; nothing is made before Export. */
import { notifications } from '@mantine/notifications';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Loading, Trouble } from '../../ui/conditions.tsx';
import { categoryWord } from '../../ui/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import { Day } from '../../ui/time.tsx';

interface Props {
  readonly bankAccount: string;
  close(): void;
}

export function ExportDialog({ bankAccount, close }: Props) {
  const plan = useRead(['payment_files', 'plan', bankAccount], (client) =>
    client.paymentFiles.create({ bank_account: bankAccount, dry_run: true }),
  );
  const make = useWrite(async (client, options) => {
    const answer = await client.paymentFiles.create({ bank_account: bankAccount }, options);
    notifications.show({
      message: answer.files.length === 1 ? 'A file is made.' : `${answer.files.length} files are made.`,
    });
    return answer;
  });
  const planned = plan.data?.planned ?? [];
  return (
    <Confirm
      title="Export payouts"
      verb="Export"
      isOpen
      isIncomplete={planned.length === 0}
      write={make}
      input={undefined}
      close={close}
    >
      {plan.isLoading && <Loading lines={2} />}
      <Trouble error={plan.error} />
      {plan.data !== undefined && planned.length === 0 && <p>Nothing is ready to leave.</p>}
      {planned.map(
        ({
          route,
          execution_on: on,
          category_purpose: purpose,
          currency,
          payouts_count: count,
          total_minor: total,
        }) => (
          <p key={`${route} ${on} ${purpose ?? ''} ${currency}`}>
            {count} {count === 1 ? 'payout' : 'payouts'}, <Money minor={total} currency={currency} />, for{' '}
            <Day on={on} />
            {purpose !== null && `, ${categoryWord(purpose)}`}
          </p>
        ),
      )}
      {(plan.data?.held ?? []).map(({ reason, currency, payouts_count: count, total_minor: total, message }) => (
        <p key={`${reason} ${currency}`} className="muted">
          {count} {count === 1 ? 'stays' : 'stay'}, <Money minor={total} currency={currency} />: {message}
        </p>
      ))}
      <p className="muted">Files go to your bank by hand or by your own program: Bursar sends none.</p>
    </Confirm>
  );
}
