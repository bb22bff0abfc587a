/** A price as rows: what is sold and bought, the rate and where it comes from, fees, and what the accounts hold behind it. */
import type { ReactNode } from 'react';
import type { Account, ExchangeQuote } from '../../../../client/src/bursar.ts';
import { Money } from '../../ui/money.tsx';
import { Facts } from '../../ui/page.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { Time } from '../../ui/time.tsx';
import { heldBehind, leftBehind } from './order.ts';
import { percentText, rateText, sourceText } from './words.ts';

/** What quotes, exchanges and tries have in common. */
export type Priced = Pick<
  ExchangeQuote,
  | 'sell_currency'
  | 'sell_amount_minor'
  | 'buy_currency'
  | 'buy_amount_minor'
  | 'rate'
  | 'inverse_rate'
  | 'mid_market_rate'
  | 'markup_bps'
  | 'rate_source'
  | 'rate_at'
  | 'fees'
>;

type Row = readonly [name: string, value: ReactNode];

export function rateRows(price: Priced): readonly Row[] {
  const { sell_currency: sold, buy_currency: bought, markup_bps: bps, fees } = price;
  return [
    [
      'Rate',
      <div key="">
        <div>{rateText(sold, price.rate, bought)}</div>
        <div className="muted">{rateText(bought, price.inverse_rate, sold)}</div>
      </div>,
    ],
    ['Market', bps === 0 ? null : `${rateText(sold, price.mid_market_rate, bought)}, less ${percentText(bps)} markup`],
    [
      fees.length > 1 ? 'Fees' : 'Fee',
      fees.length === 0
        ? null
        : fees.map((fee) => (
            <div key={fee.fee_rule}>
              <Money minor={fee.amount_minor} currency={fee.currency} />
            </div>
          )),
    ],
    [
      'Source',
      <span key="">
        {sourceText(price.rate_source)}, <Time at={price.rate_at} real />
      </span>,
    ],
  ];
}

interface Props {
  readonly price: Priced;
  readonly sell: Account | undefined;
  /** Without one it is opened. */
  readonly buy: Account | undefined;
}

export function PriceFacts({ price, sell, buy }: Props) {
  const { sell_currency: sold, buy_currency: bought } = price;
  return (
    <Facts
      rows={[
        ['You sell', <Money key="" minor={price.sell_amount_minor} currency={sold} size="large" />],
        ['You buy', <Money key="" minor={price.buy_amount_minor} currency={bought} size="large" />],
        ...rateRows(price),
        [
          sell === undefined ? 'Balance' : accountName(sell),
          sell === undefined ? null : (
            <span key="">
              <Money minor={sell.balance} currency={sold} /> →{' '}
              <Money minor={leftBehind(sell.balance, price)} currency={sold} />
            </span>
          ),
        ],
        [
          buy === undefined ? `Account in ${bought}` : accountName(buy),
          buy === undefined ? (
            'It is opened.'
          ) : (
            <span key="">
              <Money minor={buy.balance} currency={bought} /> →{' '}
              <Money minor={heldBehind(buy.balance, price)} currency={bought} />
            </span>
          ),
        ],
      ]}
    />
  );
}
