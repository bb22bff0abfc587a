/** One statement of a bank: what its balances prove, its entries, and where it waits, the ways to read it (`review.tsx`). */
import { useParams } from 'wouter';
import type { BankEntry, BankStatement } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useList, useRead } from '../../api/reads.ts';
import { Empty } from '../../ui/conditions.tsx';
import { countOf } from '../../ui/digits.ts';
import { Id, shortId } from '../../ui/id.tsx';
import { List } from '../../ui/list-page.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day, Time } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { driftWords } from './month-lines.ts';
import { Review } from './review.tsx';
import { entryState, messageWord, statementState } from './statement-words.ts';

const FROM = { to: '/bank-accounts', word: 'Bank accounts' };

export function Statement() {
  const { id = '' } = useParams();
  const statement = useRead(['bank_statement', id], (client) => client.bankStatements.retrieve(id));
  if (statement.data !== undefined) return <Found statement={statement.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this statement" read={statement} />;
}

function Found({ statement }: { readonly statement: BankStatement }) {
  const { id, bank_account: bank, closed_on: on, currency, status, difference_minor: difference } = statement;
  const may = useMay();
  const account = useRead(['bank_account', bank], (client) => client.bankAccounts.retrieve(bank), {
    isOff: !may('bank_accounts:read'),
  });
  const name = account.data?.name ?? account.data?.holder ?? 'Bank account';
  const count = (many: number) => (many === 0 ? null : countOf(many));
  const balance = (minor: number | null, day: string | null) =>
    minor === null ? null : (
      <>
        <Money minor={minor} currency={currency} />
        {day !== null && (
          <span className="muted">
            , <Day on={day} />
          </span>
        )}
      </>
    );
  return (
    <Page
      title={on === null ? `Statement ${statement.reference ?? shortId(id)}` : `Statement of ${on}`}
      heading={
        on === null ? (
          <bdi>Statement {statement.reference ?? shortId(id)}</bdi>
        ) : (
          <>
            Statement of <Day on={on} />
          </>
        )
      }
      from={{ to: `/bank-accounts/${bank}`, word: name }}
      about={
        <>
          <bdi>{name}</bdi>
          <State {...statementState(statement)} />
        </>
      }
    >
      <Review statement={statement} balance={account.data?.balance ?? null} />
      <Card title="What the bank says">
        <Facts
          rows={[
            ['Begins with', balance(statement.opening_balance, statement.opened_on)],
            ['Ends with', balance(statement.closing_balance, on)],
            [
              'Proof',
              status === 'imported' && difference !== null && difference !== 0
                ? `${driftWords(difference, currency)}.`
                : null,
            ],
            ['Entries', count(statement.entries_count)],
            ['New in it', count(statement.new_count)],
            ['Without a place at first', count(statement.unmatched_count)],
            ['Message', messageWord(statement.message)],
            ['Its id at the bank', statement.reference === null ? null : <bdi key="">{statement.reference}</bdi>],
            ['Its number', statement.sequence],
            ['Page', statement.page],
            ['Takes the place of', statement.supersedes === null ? null : <Id key="" id={statement.supersedes} />],
            [
              'Not in it any more',
              statement.missing_entries.length === 0
                ? null
                : statement.missing_entries.map((entry) => (
                    <div key={entry}>
                      <Id id={entry} />
                    </div>
                  )),
            ],
            ['Came in', <Time key="" at={statement.created} />],
            ['Id', <Id key="" id={id} whole here />],
          ]}
        />
      </Card>
      {may('bank_entries:read') && <Entries statement={id} />}
    </Page>
  );
}

const COLUMNS: readonly Column<BankEntry>[] = [
  {
    key: 'who',
    title: 'Who',
    phone: 'top-left',
    cell: ({ kind, counterparty }) =>
      kind === 'opening' ? 'Balance with which the books begin' : <bdi>{counterparty.name ?? 'without a name'}</bdi>,
  },
  {
    key: 'text',
    title: 'Text',
    width: '30%',
    cell: ({ remittance }) => <bdi className="muted">{remittance.text}</bdi>,
  },
  {
    key: 'state',
    title: 'State',
    width: '18%',
    phone: 'bottom-right',
    cell: (entry) => <State {...entryState(entry)} />,
  },
  { key: 'day', title: 'Booked', width: '12%', phone: 'bottom-left', cell: ({ booked_on: on }) => <Day on={on} /> },
  {
    key: 'amount',
    title: 'Amount',
    width: '18%',
    align: 'right',
    phone: 'top-right',
    cell: ({ direction, amount_minor: minor, currency }) => (
      <Money minor={direction === 'credit' ? minor : -minor} currency={currency} signed />
    ),
  },
];

function Entries({ statement }: { readonly statement: string }) {
  const list = useList<BankEntry>(['bank_entries', 'of', statement], (client) =>
    client.bankEntries.list({ statement, order: 'asc', limit: 100 }).page(),
  );
  return (
    <>
      <h2>Entries that it reported first</h2>
      <List
        words={['entry', 'entries']}
        list={list}
        lines={4}
        columns={COLUMNS}
        hrefOf={({ id }) => `/bank-entries/${id}`}
        empty={<Empty>None: what it contains was booked before, or is not booked yet.</Empty>}
      />
    </>
  );
}
