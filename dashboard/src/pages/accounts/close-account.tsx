/** Closes an account for ever, once nothing is on it. */
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Account } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { unfitToClose } from './unfit.ts';

export function CloseAccount({ account }: { readonly account: Account }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const shut = useWrite(async (client, options) => {
    const closed = await client.accounts.close(account.id, {}, options);
    notifications.show({ message: 'The account is closed.' });
    return closed;
  });
  return (
    <div className="buttons">
      <Action reason={unfitToClose(account, may('accounts:write'))} variant="default" onClick={() => setOpen(true)}>
        Close this account
      </Action>
      <Confirm
        title="Close this account"
        verb="Close the account"
        isDangerous
        typed="close"
        isOpen={isOpen}
        write={shut}
        input={undefined}
        close={() => setOpen(false)}
      >
        <p>
          <bdi>{accountName(account)}</bdi> takes and pays no money any more. It cannot be opened again; what happened
          on it stays to be read.
        </p>
      </Confirm>
    </div>
  );
}
