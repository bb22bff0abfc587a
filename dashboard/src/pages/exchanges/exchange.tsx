/** One exchange: what was sold and bought, at which rate and whose, what moved, and who booked it. */
import { useParams } from 'wouter';
import type { Account, Exchange as ExchangeObject } from '../../../../client/src/generated/types.ts';
import { useRead } from '../../api/reads.ts';
import { hrefOf } from '../../links.ts';
import { digitsOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { stateOf } from '../../ui/payout-words.ts';
import { State } from '../../ui/state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Unread } from '../../ui/unread.tsx';
import { Who } from '../../ui/who.tsx';
import { rateRows } from './price.tsx';

const FROM = { to: '/exchanges', word: 'Exchanges' };

export function Exchange() {
  const { id = '' } = useParams();
  const exchange = useRead(['exchange', id], (client) =>
    client.exchanges.retrieve(id, { expand: ['sell_account', 'buy_account', 'sell_transfer'] }),
  );
  if (exchange.data !== undefined) return <Found exchange={exchange.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this exchange" read={exchange} />;
}

function Found({ exchange }: { readonly exchange: ExchangeObject }) {
  const { sell_currency: sold, buy_currency: bought, expanded } = exchange;
  const { sell_account: from, buy_account: to } = exchange;
  const names = namesOf(exchange);
  return (
    <Page
      title={`${digitsOf(exchange.sell_amount_minor, sold)} ${sold} → ${digitsOf(exchange.buy_amount_minor, bought)} ${bought}`}
      heading={
        <>
          <Money minor={exchange.sell_amount_minor} currency={sold} size="big" /> →{' '}
          <Money minor={exchange.buy_amount_minor} currency={bought} size="big" />
        </>
      }
      from={FROM}
      about={
        <>
          <span>
            <Go to={`/accounts/${from}`}>
              <bdi>{names[from]}</bdi>
            </Go>{' '}
            →{' '}
            <Go to={`/accounts/${to}`}>
              <bdi>{names[to]}</bdi>
            </Go>
          </span>
          <State {...stateOf(exchange.status)} />
        </>
      }
    >
      <div className="columns">
        <Card title="What moved" flush>
          <Table
            label="Transfers"
            columns={COLUMNS}
            rows={movementsOf(exchange, names)}
            keyOf={({ id }) => id}
            hrefOf={({ account }) => hrefOf(account)}
            counts={false}
          />
        </Card>
        <Card title="Details">
          <Facts
            rows={[
              ...rateRows(exchange),
              ['Fixed', exchange.fixed_side === 'sell' ? 'What was sold' : 'What was bought'],
              ['Booked', <Time key="" at={exchange.created} />],
              ['By', <Who key="" actor={expanded?.sell_transfer?.created_by ?? null} />],
              [
                'Quote',
                exchange.quote === null ? (
                  'None: it was booked at the rate of that moment.'
                ) : (
                  <Id key="" id={exchange.quote} />
                ),
              ],
              [
                'Events',
                <Go key="" to={`/events?object=${exchange.id}`}>
                  Of this exchange
                </Go>,
              ],
              ['Id', <Id key="" id={exchange.id} whole here />],
              ...Object.entries(exchange.metadata).map(
                ([name, value]) => [`metadata.${name}`, <bdi key="">{value}</bdi>] as const,
              ),
            ]}
          />
        </Card>
      </div>
    </Page>
  );
}

interface Movement {
  /** Of the transfer. */
  readonly id: string;
  readonly what: string;
  readonly account: string;
  readonly name: string;
  readonly minor: number;
  readonly currency: string;
}

type Names = Readonly<Record<string, string>>;

/** Of both accounts, by id. */
function namesOf({ sell_account: from, buy_account: to, expanded }: ExchangeObject): Names {
  const nameOf = (id: string, account: Account | undefined) =>
    account === undefined ? shortId(id) : accountName(account);
  return { [from]: nameOf(from, expanded?.sell_account), [to]: nameOf(to, expanded?.buy_account) };
}

/** Both sides, and each fee, as their accounts see them. */
function movementsOf(exchange: ExchangeObject, names: Names): readonly Movement[] {
  const { sell_account: from, buy_account: to, sell_currency, buy_currency } = exchange;
  const [sells = '', buys = ''] = [names[from], names[to]];
  return [
    {
      id: exchange.sell_transfer,
      what: 'Sold',
      account: from,
      name: sells,
      minor: -exchange.sell_amount_minor,
      currency: sell_currency,
    },
    {
      id: exchange.buy_transfer,
      what: 'Bought',
      account: to,
      name: buys,
      minor: exchange.buy_amount_minor,
      currency: buy_currency,
    },
    ...exchange.fees.map((fee) => ({
      id: fee.transfer ?? fee.fee_rule,
      what: 'Fee',
      account: from,
      name: sells,
      minor: -fee.amount_minor,
      currency: fee.currency,
    })),
  ];
}

const COLUMNS: readonly Column<Movement>[] = [
  { key: 'account', title: 'Account', phone: 'top-left', cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'what', title: 'What', width: '100px', phone: 'bottom-left', cell: ({ what }) => what },
  {
    key: 'transfer',
    title: 'Transfer',
    width: '170px',
    phone: 'bottom-right',
    cell: ({ id }) => <Id id={id} />,
  },
  {
    key: 'amount',
    title: 'Amount',
    width: '180px',
    align: 'right',
    phone: 'top-right',
    cell: ({ minor, currency }) => <Money minor={minor} currency={currency} signed />,
  },
];
