/**
 * Money of one account becomes money of another currency. What would happen is tried as one types, by a dry run that moves nothing; *Get a quote*
 * asks for a promised price, and only *Book* moves money, at exactly that price. The address may name the account that pays (`?sell=`).
 */
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FormEvent, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import type { Account, ExchangeDryRun, ExchangeQuote, Rate } from '../../../../client/src/bursar.ts';
import { pageAt, post } from '../../api/client.ts';
import { faultOf, isAboutOthers, isUnanswered } from '../../api/errors.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Empty, Loading, Trouble } from '../../ui/conditions.tsx';
import { digitsOf } from '../../ui/digits.ts';
import { Card, Page } from '../../ui/page.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { Unread } from '../../ui/unread.tsx';
import { currenciesOf, newCurrencies, type Order, orderOf, type Side, type Values, withSell } from './order.ts';
import { Position } from './position.tsx';
import { PriceFacts } from './price.tsx';
import { type Booking, type Promised, QuoteCard } from './quote-card.tsx';

const TITLE = 'New exchange';
const FROM = { to: '/exchanges', word: 'Exchanges' };
/** Faults of the other parameters are said below the form. */
const FIELDS = ['amount', 'sell_account', 'buy_account', 'buy_currency'];
const WAIT_MS = 400;

export function NewExchange() {
  const first = new URLSearchParams(useSearch()).get('sell') ?? '';
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  if (accounts.data === undefined) return <Unread title={TITLE} from={FROM} what="accounts" read={accounts} />;
  const open = accounts.data.data.filter(({ status }) => status === 'open');
  if (open.length > 0) return <Form key={first} first={first} accounts={open} />;
  return (
    <Page title={TITLE} from={FROM}>
      <Empty>There is no account whose money could be exchanged. Open one under Accounts first.</Empty>
    </Page>
  );
}

function Form({ first, accounts }: { readonly first: string; readonly accounts: readonly Account[] }) {
  const [values, setValues] = useState<Values>({ sell: first, buy: '', side: 'sell', amount: '' });
  const [promised, setPromised] = useState<Promised | null>(null);
  const currencies = currenciesOf(values, accounts);
  const asked = orderOf(values, accounts);
  const [settled] = useDebouncedValue(values, WAIT_MS);
  const { order } = orderOf(settled, accounts);
  const isSettled = order !== null && settled === values;
  const rates = useRead(
    ['rates', currencies.sell],
    (client) => pageAt<Rate>(client, '/v1/rates', { sell_currency: currencies.sell }),
    { isOff: currencies.sell === '' },
  );
  // Behind a quote nothing is tried: the quote says it.
  const would = useRead(
    ['exchange', 'would', order],
    (client) => post<ExchangeDryRun>(client, '/v1/exchanges', { ...order, dry_run: true }),
    { isOff: order === null || promised !== null },
  );
  const begun = useRef({ key: '', askedMs: 0 });
  const ask = useWrite(async (client, options, sent: Order) => {
    // What is asked for again is the quote of the first time.
    if (begun.current.key !== options.idempotencyKey)
      begun.current = { key: options.idempotencyKey, askedMs: Date.now() };
    const { sell_account: _from, buy_account: _to, ...price } = sent;
    return post<ExchangeQuote>(client, '/v1/exchanges/quote', price, options);
  });
  const book = useWrite((client, options, sent: Booking) => client.exchanges.create(sent, options));
  const isLocked = ask.isBusy || book.isBusy || isUnanswered(book.error);
  const set = (next: Values) => {
    setValues(next);
    setPromised(null); // it was for something else
    ask.reset();
    book.reset();
  };
  const getQuote = async (sent: Order | null, before: string | null) => {
    if (sent === null || ask.isBusy) return;
    const quote = await ask.run(sent);
    if (quote === undefined) return;
    book.reset();
    setPromised({ quote, askedMs: begun.current.askedMs, booking: bookingOf(quote, sent), before });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (promised === null && isSettled && would.data !== undefined) void getQuote(asked.order, null);
  };
  const tried = isSettled ? would.data : undefined;
  const price = promised?.quote ?? tried;
  const refused = promised === null ? (ask.error ?? (isSettled ? would.error : null)) : null;
  const [sell, buy] = [values.sell, values.buy].map((id) => accounts.find((each) => each.id === id));
  const options = accounts.map((each) => ({ value: each.id, label: labelOf(each), currency: each.currency }));
  const opened = newCurrencies(rates.data?.data ?? [], accounts).map((currency) => ({
    value: currency,
    label: `A new account in ${currency}`,
  }));
  const amountOn = (side: Side): string => {
    if (values.side === side) return values.amount;
    return price === undefined ? '' : digitsOf(price[`${side}_amount_minor`], currencies[side]);
  };
  const amountField = (side: Side, word: string) => (
    <TextInput
      label={currencies[side] === '' ? word : `${word} in ${currencies[side]}`}
      inputMode="decimal"
      value={amountOn(side)}
      onChange={(event) => set({ ...values, side, amount: event.currentTarget.value })}
      error={values.side === side ? (asked.fault ?? faultOf(refused, 'amount')) : undefined}
      disabled={isLocked}
      autoComplete="off"
    />
  );
  return (
    <Page title={TITLE} from={FROM}>
      <div className="columns">
        <Card>
          <form className="stack" onSubmit={submit} noValidate>
            <Select
              label="Sell from"
              placeholder="An account"
              data={options.map(({ value, label }) => ({ value, label }))}
              value={sell?.id ?? null}
              onChange={(id) => set(withSell(values, id ?? '', accounts))}
              error={faultOf(refused, 'sell_account')}
              disabled={isLocked}
            />
            {amountField('sell', 'You sell')}
            <Select
              label="Buy into"
              placeholder={currencies.sell === '' ? 'Choose first what you sell' : 'An account, or a currency'}
              data={[
                ...options
                  .filter(({ currency }) => currency !== currencies.sell)
                  .map(({ value, label }) => ({ value, label })),
                ...opened,
              ]}
              value={values.buy === '' ? null : values.buy}
              onChange={(id) => set({ ...values, buy: id ?? '' })}
              error={faultOf(refused, 'buy_account') ?? faultOf(refused, 'buy_currency')}
              disabled={isLocked || currencies.sell === ''}
            />
            {amountField('buy', 'You buy')}
            {isAboutOthers(refused, FIELDS) && <Trouble error={refused} />}
            {promised === null && (
              <div className="buttons">
                <Button type="submit" loading={ask.isBusy} disabled={tried === undefined}>
                  Get a quote
                </Button>
              </div>
            )}
          </form>
        </Card>
        <div className="stack">
          {promised === null ? (
            <Card title="At the present rate">
              {tried !== undefined && (
                <>
                  <PriceFacts price={tried} sell={sell} buy={accounts.find(({ id }) => id === tried.buy_account)} />
                  <p className="small muted">The rate may move. A quote keeps it for half an hour.</p>
                </>
              )}
              {tried === undefined && isSettled && would.error === null && <Loading lines={4} />}
              {tried === undefined && !(isSettled && would.error === null) && (
                <p className="muted">
                  {isSettled
                    ? 'It is not possible like this.'
                    : 'Choose what to sell and to buy, and an amount on either side. Nothing moves before you press Book.'}
                </p>
              )}
            </Card>
          ) : (
            <QuoteCard
              promised={promised}
              sell={sell}
              buy={buy}
              book={book}
              renew={() => void getQuote(asked.order, promised.quote.rate)}
              isRenewing={ask.isBusy}
              renewError={ask.error}
            />
          )}
          <Position />
        </div>
      </div>
    </Page>
  );
}

function bookingOf({ id }: ExchangeQuote, { sell_account, buy_account }: Order): Booking {
  return { quote: id, sell_account, ...(buy_account !== undefined && { buy_account }) };
}

const labelOf = (account: Account): string =>
  `${accountName(account)} · ${digitsOf(account.balance, account.currency)} ${account.currency}`;
