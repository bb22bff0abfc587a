/**
 * What a sandbox can do that a bank account cannot: make money, move its clock on, take the next step of a payout, and start over. In live
 * there is nothing of it.
 */
import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import type { Account, Payout } from '../../../../client/src/generated/types.ts';
import type { Bursar } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { faultOf } from '../../api/errors.ts';
import { msOf, useClockAheadMs, useMe } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite, type WriteOptions } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Shell } from '../../ui/shell-text.tsx';
import { Time } from '../../ui/time.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import classes from './tools.module.css';

export function SandboxTools() {
  const { mode } = useHere();
  if (mode === 'live')
    return (
      <Page title="Sandbox tools">
        <div className="condition">
          <p>Live has no such tools: money here is real. Switch to the sandbox above.</p>
        </div>
      </Page>
    );
  return (
    <Page title="Sandbox tools" about="Nothing here is real money. A test key can do the same.">
      <Clock />
      <Fund />
      <Step />
      <Story />
      <Reset />
    </Page>
  );
}

const MOVES = [
  ['An hour', 3_600],
  ['A day', 86_400],
  ['A week', 7 * 86_400],
  ['30 days', 30 * 86_400],
] as const;

function Clock() {
  const me = useMe();
  const aheadMs = useClockAheadMs();
  const move = useWrite((client, options, seconds: number) => client.testHelpers.clock.advance({ seconds }, options));
  return (
    <Card title="Clock">
      <p>
        {me.data !== undefined && <Time at={msOf(me.data.now) / 1_000} />}
        {aheadMs === 0 && <span className="muted"> · the real time</span>}
        {aheadMs > 0 && <span className="muted"> · ahead of the real time</span>}
        {aheadMs < 0 && <span className="muted"> · behind the real time</span>}
      </p>
      <p className="muted">Quotes end, planned payouts leave, and standing orders run by it. It never goes back.</p>
      <div className={classes['row']}>
        {MOVES.map(([word, seconds]) => (
          <Button key={word} variant="default" disabled={move.isBusy} onClick={() => void move.run(seconds)}>
            {word} on
          </Button>
        ))}
      </div>
      <Trouble error={move.error} />
    </Card>
  );
}

function Fund() {
  const accounts = useRead(['accounts', 'open'], async (client) => {
    const { data } = await client.accounts.list({ status: 'open', limit: 100 }).page();
    return data;
  });
  const [chosen, choose] = useState<string | null>(null);
  const [amount, setAmount] = useState('');
  const fund = useWrite((client, options, sent: { readonly account: string; readonly amount: string }) =>
    client.testHelpers.accounts.fund(sent.account, { amount: sent.amount as `${number}` }, options),
  );
  const all: readonly Account[] = accounts.data ?? [];
  const account = all.find(({ id }) => id === chosen) ?? all[0];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (account === undefined) return;
    if ((await fund.run({ account: account.id, amount: amount.trim() })) === undefined) return;
    setAmount('');
    notifications.show({ message: 'The money is in the account.' });
  };
  if (account === undefined) return null;
  return (
    <Card title="Money">
      <form className={classes['row']} onSubmit={(event) => void submit(event)} noValidate>
        <Select
          label="Account"
          data={all.map(({ id, name, currency }) => ({ value: id, label: `${name ?? currency} (${currency})` }))}
          value={account.id}
          onChange={choose}
        />
        <TextInput
          label={`Amount in ${account.currency}`}
          placeholder="1000.00"
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={faultOf(fund.error, 'amount')}
        />
        <Button type="submit" loading={fund.isBusy} disabled={amount.trim() === ''}>
          Add it
        </Button>
      </form>
      <p className="muted">
        It holds <Money minor={account.balance} currency={account.currency} />.
      </p>
      {faultOf(fund.error, 'amount') === undefined && <Trouble error={fund.error} />}
    </Card>
  );
}

const STEPS: readonly (readonly [
  word: string,
  take: (client: Bursar, id: string, options: WriteOptions) => Promise<Payout>,
])[] = [
  ['Next step', (client, id, options) => client.testHelpers.payouts.advance(id, {}, options)],
  ['Pay', (client, id, options) => client.testHelpers.payouts.pay(id, {}, options)],
  ['Fail', (client, id, options) => client.testHelpers.payouts.fail(id, {}, options)],
  ['Send back', (client, id, options) => client.testHelpers.payouts.return(id, {}, options)],
];

function Step() {
  const [payout, setPayout] = useState('');
  const step = useWrite((client, options, { nth, id }: { readonly nth: number; readonly id: string }) =>
    (STEPS[nth] as (typeof STEPS)[number])[1](client, id, options),
  );
  const id = payout.trim();
  const take = async (nth: number) => {
    const after = await step.run({ nth, id });
    if (after !== undefined) notifications.show({ message: `The payout is ${after.status.replace('_', ' ')} now.` });
  };
  return (
    <Card title="A step of a payout">
      <TextInput
        className={classes['id'] ?? ''}
        label="Payout"
        placeholder="po_…"
        autoComplete="off"
        spellCheck={false}
        value={payout}
        onChange={(event) => setPayout(event.currentTarget.value)}
      />
      <div className={classes['row']}>
        {STEPS.map(([word], nth) => (
          <Button
            key={word}
            variant="default"
            disabled={!/^po_\w+$/.test(id) || step.isBusy}
            onClick={() => void take(nth)}
          >
            {word}
          </Button>
        ))}
      </div>
      <p className="muted">
        Payouts also move on by themselves, a step every few seconds, unless the operator switched that off.
      </p>
      <Trouble error={step.error} />
    </Card>
  );
}

function Story() {
  return (
    <Card title="Three months of a small company">
      <p>
        Fills this sandbox with salaries, suppliers, invoices, files of the bank, and work that waits for you. On the
        command line, with a test key of this sandbox:
      </p>
      <Shell text={`bursar demo --url ${location.origin} --reset`} />
    </Card>
  );
}

const WORD = 'reset';

function Reset() {
  const [isOpen, setOpen] = useState(false);
  const [word, setWord] = useState('');
  const [seed, setSeed] = useState(true);
  const reset = useWrite(async (client, options, sent: { readonly seed: boolean }) => {
    const answer = await client.testHelpers.reset(sent, options);
    notifications.show({ message: 'The sandbox is empty again.' });
    return answer;
  });
  const close = () => {
    setWord('');
    setOpen(false);
  };
  return (
    <Card title="Start over">
      <p>Deletes everything in this sandbox but keys, people and the audit log. The clock shows the real time again.</p>
      <div className={classes['row']}>
        <Button color="danger" variant="default" onClick={() => setOpen(true)}>
          Empty the sandbox
        </Button>
      </div>
      <Confirm
        title="Empty the sandbox"
        verb="Empty it"
        isDangerous
        isOpen={isOpen}
        isIncomplete={word.trim() !== WORD}
        write={reset}
        input={{ seed }}
        close={close}
      >
        <p>Accounts, payouts, recipients, links, endpoints, rules and events go. Nobody can bring them back.</p>
        <Checkbox
          label="Put in what the first start made: three accounts with money, and a recipient"
          checked={seed}
          onChange={(event) => setSeed(event.currentTarget.checked)}
        />
        <TextInput
          label={`Type ${WORD} to confirm`}
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Confirm>
    </Card>
  );
}
