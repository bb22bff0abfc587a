/** How far what is shown can be trusted: books, bank, backup, rates, and until when the figures are counted. */
import type { ReactNode } from 'react';
import { useHere } from '../../api/environment.tsx';
import type { Summary } from '../../api/shapes.ts';
import { Money } from '../../ui/money.tsx';
import { Card } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { Day, Time } from '../../ui/time.tsx';
import classes from './overview.module.css';

export function Standing({ summary }: { readonly summary: Summary }) {
  const { mode } = useHere();
  const { verification, bank, backup_at: backup, rates_at: rates, currencies, lag_seconds: lag, as_of: asOf } = summary;
  const fees = currencies.filter(({ fees_minor: minor }) => minor !== 0);
  const books = verification?.status ?? 'none';
  return (
    <Card title="Where things stand">
      <ul className={classes['standing']}>
        <Row name={<State {...BOOKS[books]} />}>
          {verification !== null && verification.finished_at !== null ? (
            <Time at={verification.finished_at} ago real />
          ) : (
            'every night'
          )}
        </Row>
        {bank.map((account) => (
          <Row key={account.bank_account} name={<bdi>{account.name ?? 'Bank account'}</bdi>}>
            {account.proved_until_on === null ? (
              'no statement yet'
            ) : (
              <>
                proved until <Day on={account.proved_until_on} />
              </>
            )}
          </Row>
        ))}
        {fees.map(({ currency, fees_minor: minor }) => (
          <Row key={currency} name="Fees, 30 days">
            <Money minor={minor} currency={currency} />
          </Row>
        ))}
        {(backup !== null || mode === 'live') && (
          <Row name="Last backup">{backup === null ? 'none known' : <Time at={backup} ago real />}</Row>
        )}
        {rates !== null && (
          <Row name="Exchange rates">
            <Time at={rates} ago real />
          </Row>
        )}
        {lag > 5 && (
          <Row name="Figures counted until">
            <Time at={asOf} />
          </Row>
        )}
      </ul>
    </Card>
  );
}

const BOOKS = {
  none: { mark: 'off', word: 'Books not checked yet' },
  clean: { mark: 'done', word: 'Books agree' },
  damaged: { mark: 'bad', word: 'Books do not agree' },
} as const;

function Row({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <li>
      <span>{name}</span>
      <span className="muted">{children}</span>
    </li>
  );
}
