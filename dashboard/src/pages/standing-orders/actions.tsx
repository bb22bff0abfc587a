/** What can be done to a standing order as it is now. What the role lacks is there, off, with the reason. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { StandingOrder } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { useAsked } from '../../ui/asked.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import { Day } from '../../ui/time.tsx';
import { nextIfResumed } from './calendar.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { Payee } from './payee.tsx';
import { useToday } from './today.ts';
import { everyOf } from './words.ts';

const done = (message: string) => notifications.show({ message });

export function Actions({ order }: { readonly order: StandingOrder }) {
  const { id, status } = order;
  const next = nextIfResumed(order, useToday());
  const may = useMay();
  const asked = useAsked<'change' | 'pause' | 'resume' | 'end'>();
  const pause = useWrite(async (client, options) => {
    const answer = await client.standingOrders.pause(id, {}, options);
    done('Paused.');
    return answer;
  });
  const resume = useWrite(async (client, options) => {
    const answer = await client.standingOrders.resume(id, {}, options);
    done(answer.status === 'active' ? 'Resumed.' : 'Its last day is behind it: it is completed.');
    return answer;
  });
  const end = useWrite(async (client, options) => {
    const answer = await client.standingOrders.cancel(id, {}, options);
    done('Ended.');
    return answer;
  });
  const changing = asked.of('change');
  if (status === 'completed' || status === 'canceled') return null;
  const mayStop = may('standing_orders:write');
  const mayPay = mayStop && may('payouts:write');
  return (
    <>
      {!mayPay && (
        <span className="small muted">
          {mayStop ? 'Your role may not pay: it may pause and end.' : 'Your role may not change standing orders.'}
        </span>
      )}
      <Button variant="default" disabled={!mayPay} onClick={() => asked.ask('change')}>
        Change
      </Button>
      {status === 'active' ? (
        <Button variant="default" disabled={!mayStop} onClick={() => asked.ask('pause')}>
          Pause
        </Button>
      ) : (
        <Button disabled={!mayPay} onClick={() => asked.ask('resume')}>
          Resume
        </Button>
      )}
      <Button variant="default" disabled={!mayStop} onClick={() => asked.ask('end')}>
        End
      </Button>
      {changing.isOpen && <ChangeDialog order={order} close={changing.close} />}
      <Confirm title="Pause this standing order" verb="Pause" write={pause} input={undefined} {...asked.of('pause')}>
        <Short order={order} />
        <p>Days that come while it is paused are left out, and nobody pays them later. Payouts that it made go on.</p>
      </Confirm>
      <Confirm
        title="Resume this standing order"
        verb="Resume"
        write={resume}
        input={undefined}
        {...asked.of('resume')}
      >
        <Short order={order} />
        <p>
          {next === null ? (
            'Its last day is behind it, so it is completed.'
          ) : (
            <>
              The next payout is on <Day on={next} />. Days that were left out stay left out.
            </>
          )}
        </p>
      </Confirm>
      <Confirm
        title="End this standing order"
        verb="End it"
        isDangerous
        typed="end"
        write={end}
        input={undefined}
        {...asked.of('end')}
      >
        <Short order={order} />
        <p>
          No further payout is made, and this cannot be taken back. Payouts that it made go on: cancel them one by one.
        </p>
      </Confirm>
    </>
  );
}

/** Which one it is. */
function Short({ order }: { readonly order: StandingOrder }) {
  return (
    <div>
      <Money minor={order.amount_minor} currency={order.currency} size="large" />
      <div>
        to <Payee id={order.recipient} />, {everyOf(order).toLowerCase()}
      </div>
      {order.reference !== null && <bdi className="muted">{order.reference}</bdi>}
    </div>
  );
}
