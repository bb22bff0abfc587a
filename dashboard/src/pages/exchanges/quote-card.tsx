/**
 * A quote on the screen, and the button that books exactly it. It counts down by the environment's clock; one that ran out cannot be booked, and
 * another one comes only when somebody asks for it, by a button that is not where *Book* is: whoever presses twice books nothing that they have
 * not seen. The quote is read again whenever something changed, so that one that was used leads to its exchange, though the answer was lost.
 */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Account, ExchangeQuote } from '../../../../client/src/bursar.ts';
import { BursarError } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { isUnanswered } from '../../api/errors.ts';
import { type Seen, useSeen } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import type { Write } from '../../api/writes.ts';
import { Trouble } from '../../ui/conditions.tsx';
import { Card } from '../../ui/page.tsx';
import classes from './exchanges.module.css';
import { clockText, secondsLeft } from './left.ts';
import { PriceFacts } from './price.tsx';
import { rateText } from './words.ts';

/** As the API takes it: nothing beside the quote that could say another price. */
export interface Booking {
  readonly quote: string;
  readonly sell_account: string;
  readonly buy_account?: string;
}

/** A quote, and what it was asked for. */
export interface Promised {
  readonly quote: ExchangeQuote;
  /** When this machine asked for it, by its own clock. */
  readonly askedMs: number;
  readonly booking: Booking;
  /** The rate of the quote that it came after. */
  readonly before: string | null;
}

interface Props {
  readonly promised: Promised;
  readonly sell: Account | undefined;
  readonly buy: Account | undefined;
  readonly book: Write<Booking, { readonly id: string }>;
  /** Another quote for the same. */
  renew(): void;
  readonly isRenewing: boolean;
  /** Why there is no other one. */
  readonly renewError: unknown;
}

export function QuoteCard({ promised, sell, buy, book, renew, isRenewing, renewError }: Props) {
  const { quote, askedMs, booking, before } = promised;
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const left = useSecondsLeft(quote.expires_at, { nowS: quote.created, askedMs });
  const now = useRead(['exchange_quote', quote.id], (client) => client.exchangeQuotes.retrieve(quote.id));
  const booked = now.data?.exchange ?? null;
  useEffect(() => {
    if (booked !== null) navigate(`/${mode}/exchanges/${booked}`);
  }, [booked, mode, navigate]);
  const isOpen = isUnanswered(book.error);
  const hasExpired = BursarError.is(book.error, 'quote_expired');
  const isOver = !isOpen && (left === 0 || now.data?.status === 'expired' || hasExpired);
  // Who works by keys goes on from here, and Enter does not book.
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.focus({ preventScroll: true }), [quote.id]);
  const run = async () => {
    const made = book.isBusy ? undefined : await book.run(booking);
    if (made !== undefined) navigate(`/${mode}/exchanges/${made.id}`);
  };
  return (
    <Card title="Quote">
      <div className="stack" ref={top} tabIndex={-1}>
        {isOver && (
          <div className="notice bad" role="alert">
            <strong>This quote has run out.</strong>
            Nothing was booked. The rate may be another one now.
            <div className={classes['renew']}>
              <Button variant="default" loading={isRenewing} onClick={renew}>
                New quote
              </Button>
            </div>
          </div>
        )}
        {isOpen && (
          <div className="notice wait" role="alert">
            <strong>Nobody knows yet whether it was booked.</strong>
            The answer did not come. Press Book again: it is booked once.
          </div>
        )}
        {!isOver && !isOpen && (
          <p className={classes['left']}>
            Good for{' '}
            <strong role="timer" aria-label="Time left">
              {clockText(left)}
            </strong>
          </p>
        )}
        <PriceFacts price={quote} sell={sell} buy={buy} />
        {before !== null && before !== quote.rate && (
          <p className="muted">The quote before it: {rateText(quote.sell_currency, before, quote.buy_currency)}.</p>
        )}
        <Trouble error={renewError} />
        {!hasExpired && <Trouble error={book.error} />}
        <div className="buttons">
          <Button loading={book.isBusy} disabled={isOver || isRenewing} onClick={() => void run()}>
            Book
          </Button>
        </div>
      </div>
    </Card>
  );
}

const TICK_MS = 500;

function useSecondsLeft(expiresAtS: number, quoted: Seen): number {
  const seen = useSeen();
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return secondsLeft(expiresAtS, seen === undefined ? [quoted] : [quoted, seen], Date.now());
}
