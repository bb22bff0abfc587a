/** What can be done to a payout as it is now. An action that the role lacks is there, off, with the reason. */
import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Payout } from '../../../../client/src/generated/types.ts';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { useApprover } from '../../ui/approver.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PayoutShort } from '../../ui/payout-short.tsx';
import { isHeld } from '../../ui/payout-words.ts';
import { RejectPayout } from '../../ui/reject-payout.tsx';
import { curlOf } from '../../ui/shell-text.tsx';
import { unfitToApprove } from '../../ui/unfit.ts';

type Open = 'approve' | 'reject' | 'cancel' | null;

export function Actions({ payout }: { readonly payout: Payout }) {
  const { id, release } = payout;
  const may = useMay();
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const approver = useApprover(isHeld(payout));
  const unfit = unfitToApprove(payout, approver);
  const [open, setOpen] = useState<Open>(null);
  const clipboard = useClipboard();
  const fingerprint = release?.fingerprint ?? '';
  const done = (message: string) => notifications.show({ message });

  // Bound to what was on the screen: had anything changed since, the server would refuse it.
  const approve = useWrite(
    async (client, options) => {
      const answer = await client.payouts.approve(id, { fingerprint }, options);
      done('Approved.');
      return answer;
    },
    () => [{ id, fingerprint }],
  );
  const cancel = useWrite(async (client, options) => {
    const answer = await client.payouts.cancel(id, {}, options);
    done('Canceled.');
    return answer;
  });

  const held = isHeld(payout);
  const canCancel = payout.status === 'waiting' || payout.status === 'pending';
  const isOver = ['failed', 'returned', 'canceled'].includes(payout.status) && payout.recipient !== null;
  const mayPay = may('payouts:write');
  const close = () => setOpen(null);
  return (
    <>
      {held && (
        <>
          <Button variant="default" disabled={unfit !== null} onClick={() => setOpen('reject')}>
            Reject
          </Button>
          <Action reason={unfit} onClick={() => setOpen('approve')}>
            Approve
          </Action>
        </>
      )}
      {isOver && (
        <Action
          reason={mayPay ? null : 'Your role may not pay.'}
          onClick={() => navigate(`/${mode}/payouts/new?again=${id}`)}
        >
          Pay again
        </Action>
      )}
      <Menu width={210}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="terminal" size={16} />}
            onClick={() => {
              clipboard.copy(curlOf({ path: `/v1/payouts/${id}` }));
              done('Copied.');
            }}
          >
            Copy as curl
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="copy" size={16} />}
            onClick={() => {
              clipboard.copy(JSON.stringify(payout, null, 2));
              done('Copied.');
            }}
          >
            Copy as JSON
          </Menu.Item>
          {canCancel && (
            <Menu.Item
              leftSection={<Icon name="cross" size={16} />}
              disabled={!may('payouts:write')}
              onClick={() => setOpen('cancel')}
            >
              Cancel the payout
              {!may('payouts:write') && <div className="small">Your role may not cancel.</div>}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        title="Approve this payout"
        verb="Approve"
        isOpen={open === 'approve'}
        write={approve}
        input={undefined}
        close={close}
      >
        <PayoutShort payout={payout} />
      </Confirm>
      <RejectPayout payout={open === 'reject' ? payout : null} close={close} />
      <Confirm
        title="Cancel this payout"
        verb="Cancel the payout"
        isDangerous
        isOpen={open === 'cancel'}
        write={cancel}
        input={undefined}
        close={close}
      >
        <PayoutShort payout={payout} />
        <p>{payout.transfer === null ? 'Nothing has been debited.' : 'The money goes back to the account at once.'}</p>
      </Confirm>
    </>
  );
}
