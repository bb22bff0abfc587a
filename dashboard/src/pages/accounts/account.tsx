/** One account: what is on it, every movement with the balance after it, and how money is paid in. */
import { useParams } from 'wouter';
import type { Account as AccountObject, StatementLine } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useList, useRead } from '../../api/reads.ts';
import { amountColumn, createdColumn } from '../../ui/columns.tsx';
import { Empty } from '../../ui/conditions.tsx';
import { Choice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { wordOf } from '../../ui/bank-details.ts';
import { Id, shortId } from '../../ui/id.tsx';
import { List } from '../../ui/list-page.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { stateOf } from '../../ui/payout-words.ts';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CAUSES } from '../../ui/words.ts';
import { Unread } from '../../ui/unread.tsx';
import { hrefOf } from '../../links.ts';
import { Actions } from './actions.tsx';
import { CloseAccount } from './close-account.tsx';

const FROM = { to: '/accounts', word: 'Accounts' };

export function Account() {
  const { id = '' } = useParams();
  const account = useRead(['account', id], (client) => client.accounts.retrieve(id));
  if (account.data !== undefined) return <Found account={account.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this account" read={account} />;
}

function Found({ account }: { readonly account: AccountObject }) {
  const name = accountName(account);
  return (
    <Page
      title={name}
      heading={<Money minor={account.balance} currency={account.currency} size="big" />}
      from={FROM}
      about={
        <>
          <bdi>{name}</bdi>
          <State {...stateOf(account.status)} />
        </>
      }
      actions={<Actions account={account} />}
    >
      <Movements account={account} />
      <div className="columns">
        <Card title="Details">
          <Facts
            rows={[
              ['Currency', account.currency],
              ['Opened', <Time key="" at={account.created} />],
              ['Id', <Id key="" id={account.id} whole here />],
              ...Object.entries(account.metadata).map(
                ([key, value]) => [`metadata.${key}`, <bdi key="">{value}</bdi>] as const,
              ),
            ]}
          />
          {account.status === 'open' && <CloseAccount account={account} />}
        </Card>
        {account.status === 'open' && <Deposits id={account.id} />}
      </div>
    </Page>
  );
}

const COLUMNS: readonly Column<StatementLine>[] = [
  {
    key: 'what',
    title: 'What',
    phone: 'top-left',
    cell: ({ cause, description }) => (
      <>
        {CAUSES[cause] ?? cause} {description !== null && <bdi className="muted">{description}</bdi>}
      </>
    ),
  },
  {
    key: 'of',
    title: 'Of',
    width: '22%',
    cell: ({ cause_id: id, id: transfer }) => <Id id={id ?? transfer} />,
  },
  createdColumn({ title: 'When', width: '14%', phone: 'bottom-left' }),
  amountColumn({ width: '18%', signed: true }),
  {
    key: 'after',
    title: 'Balance after it',
    width: '18%',
    align: 'right',
    phone: 'bottom-right',
    cell: ({ balance_after: minor, currency }) => (
      <span className="muted">
        <Money minor={minor} currency={currency} />
      </span>
    ),
  },
];

/** What most accounts have; the rest is found without a filter. */
const CAUSE_CHOICES = ['funding', 'payout', 'payout_reversal', 'payment', 'exchange', 'transfer', 'payout_fee'].map(
  (cause) => ({ value: cause, label: CAUSES[cause] ?? cause }),
);

function Movements({ account: { id, currency } }: { readonly account: AccountObject }) {
  const filters = useFilters({ cause: 'one' });
  const { cause } = filters.values;
  const list = useList<StatementLine>(['account', id, 'transfers', cause], (client) =>
    pageAt(client, `/v1/accounts/${id}/transfers`, { cause, limit: 100 }),
  );
  return (
    <>
      <div className="filters">
        <h2 className="grow">Movements</h2>
        <Choice
          label="Every kind"
          value={cause}
          options={CAUSE_CHOICES}
          onChange={(next) => filters.set({ cause: next })}
        />
      </div>
      <List
        words={['movement', 'movements']}
        label={`Movements of ${currency}`}
        list={list}
        lines={8}
        columns={COLUMNS}
        hrefOf={({ cause_id: of }) => (of === null ? undefined : hrefOf(of))}
        filters={filters}
        empty={<Empty>No money has moved on this account.</Empty>}
      />
    </>
  );
}

/** How money is paid in; absent where no bank account of the company collects for it. */
function Deposits({ id }: { readonly id: string }) {
  const deposits = useRead(['account', id, 'deposits'], (client) => client.accounts.retrieveDepositInstructions(id));
  if (deposits.data === undefined) return null;
  const { reference, holder, bank_details: details } = deposits.data;
  return (
    <Card title="To pay money in">
      <Facts
        rows={[
          ['To', holder],
          ...Object.entries(details ?? {}).map(
            ([name, value]) => [wordOf(name), <Id key="" id={value} whole here />] as const,
          ),
          ['Reference', <Id key="" id={reference} whole here />],
        ]}
      />
      {details === null && (
        <p className="small muted">No bank account of yours collects in this currency. The reference stays the same.</p>
      )}
    </Card>
  );
}
