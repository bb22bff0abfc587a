/** What can be done to a recipient as it is now. What the role lacks is there, off, with the reason. */
import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocation } from 'wouter';
import type { Recipient } from '../../../../client/src/generated/types.ts';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { useAsked } from '../../ui/asked.ts';
import { accountEndOf } from '../../ui/bank-details.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { EditDialog } from './edit-dialog.tsx';

export function Actions({ recipient }: { readonly recipient: Recipient }) {
  const { id, name, status } = recipient;
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const may = useMay();
  const asked = useAsked<'edit' | 'erase'>();
  const erase = useWrite(async (client, options) => {
    const answer = await client.recipients.redact(id, {}, options);
    notifications.show({ message: 'Erased.' });
    return answer;
  });
  const editing = asked.of('edit');
  if (status === 'redacted') return null;
  const mayChange = may('recipients:write');
  const mayRepeat = may('standing_orders:write') && may('payouts:write');
  const why = 'Your role may not change recipients.';
  return (
    <>
      {status === 'active' && (
        <>
          <Action
            reason={may('payouts:write') ? null : 'Your role may not pay.'}
            onClick={() => navigate(`/${mode}/payouts/new?recipient=${id}`)}
          >
            Pay
          </Action>
          <Action variant="default" reason={mayChange ? null : why} onClick={() => asked.ask('edit')}>
            Change
          </Action>
        </>
      )}
      <Menu width={230}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {status === 'active' && (
            <Menu.Item
              leftSection={<Icon name="repeat" size={16} />}
              disabled={!mayRepeat}
              onClick={() => navigate(`/${mode}/standing-orders/new?recipient=${id}`)}
            >
              Pay again and again
              {!mayRepeat && <div className="small">Your role may not make standing orders.</div>}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<Icon name="repeat" size={16} />}
            onClick={() => navigate(`/${mode}/standing-orders?recipient=${id}`)}
          >
            Its standing orders
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="cross" size={16} />}
            disabled={!mayChange}
            onClick={() => asked.ask('erase')}
          >
            Erase the person
            {!mayChange && <div className="small">{why}</div>}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {editing.isOpen && <EditDialog recipient={recipient} close={editing.close} />}
      <Confirm
        title="Erase the person behind this recipient"
        verb="Erase"
        isDangerous
        typed="erase"
        write={erase}
        input={undefined}
        {...asked.of('erase')}
      >
        <p>
          <bdi>{name}</bdi> <span className="muted">{accountEndOf(recipient)}</span>
        </p>
        <p>
          Name, e-mail, address and bank details go, from here, from earlier versions and from events. The last four
          characters of the account stay, and so do payouts with their texts. Standing orders to them end. This cannot
          be taken back.
        </p>
      </Confirm>
    </>
  );
}
