/** What can be done with an account: move money to another one, exchange some, have a statement. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Account } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { Action } from '../../ui/action.tsx';
import { Icon } from '../../ui/icons.tsx';
import { StatementDialog } from './statement-dialog.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import { unfitToTransfer } from './unfit.ts';

type Open = 'transfer' | 'statement' | null;

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
          <Action
            reason={may('exchanges:write') ? null : 'Your role may not exchange money.'}
            variant="default"
            onClick={() => navigate(`/${mode}/exchanges/new?sell=${id}`)}
          >
            Exchange
          </Action>
        </>
      )}
      <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={() => setOpen('statement')}>
        Statement
      </Button>
      <TransferDialog account={account} others={others} isOpen={open === 'transfer'} close={close} />
      <StatementDialog account={account} isOpen={open === 'statement'} close={close} />
    </>
  );
}
