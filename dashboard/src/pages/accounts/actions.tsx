/** What can be done to an account: move money to another one, exchange some, close it once it is empty, and have a statement. */
import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Account } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { StatementDialog } from './statement-dialog.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import { unfitToClose, unfitToTransfer } from './unfit.ts';

type Open = 'transfer' | 'close' | 'statement' | null;

export function Actions({ account }: { readonly account: Account }) {
  const { id, status, currency } = account;
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const may = useMay();
  const [open, setOpen] = useState<Open>(null);
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  const others = (accounts.data?.data ?? []).filter(
    (each) => each.id !== id && each.currency === currency && each.status === 'open',
  );
  const shut = useWrite(async (client, options) => {
    const closed = await client.accounts.close(id, {}, options);
    notifications.show({ message: 'The account is closed.' });
    return closed;
  });
  const unfit = unfitToClose(account, may('accounts:write'));
  const close = () => setOpen(null);
  return (
    <>
      {status === 'open' && (
        <>
          <Action
            reason={accounts.data === undefined ? null : unfitToTransfer(account, others, may('transfers:write'))}
            variant="default"
            disabled={accounts.data === undefined}
            onClick={() => setOpen('transfer')}
          >
            Transfer
          </Action>
          {may('exchanges:write') && (
            <Button variant="default" onClick={() => navigate(`/${mode}/exchanges/new?sell=${id}`)}>
              Exchange
            </Button>
          )}
        </>
      )}
      <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={() => setOpen('statement')}>
        Statement
      </Button>
      {status === 'open' && (
        <Menu width={240}>
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="down" size={14} />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<Icon name="cross" size={16} />}
              disabled={unfit !== null}
              onClick={() => setOpen('close')}
            >
              Close the account
              {unfit !== null && <div className="small">{unfit}</div>}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <TransferDialog account={account} others={others} isOpen={open === 'transfer'} close={close} />
      <Confirm
        title="Close this account"
        verb="Close the account"
        isDangerous
        typed="close"
        isOpen={open === 'close'}
        write={shut}
        input={undefined}
        close={close}
      >
        <p>
          <bdi>{accountName(account)}</bdi> takes and pays no money any more. It cannot be opened again; what happened
          on it stays to be read.
        </p>
      </Confirm>
      <StatementDialog account={account} isOpen={open === 'statement'} close={close} />
    </>
  );
}
