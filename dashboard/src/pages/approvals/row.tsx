/** One payout that waits: everything that its approval is bound to, and what to look at twice. */
import { Button, Checkbox, Tooltip } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Payout } from '../../../../client/src/generated/types.ts';
import { digitsOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { Money } from '../../ui/money.tsx';
import { accountEnd, payoutHref } from '../../ui/payout-columns.tsx';
import { holdsInWords } from '../../ui/payout-words.ts';
import { Day, Time } from '../../ui/time.tsx';
import classes from './approvals.module.css';
import type { Choosable } from './chosen.ts';
import { flagsInWords } from './flags.ts';

/** With what `expand[]` added. */
export type HeldPayout = Omit<Payout, 'expanded'> & {
  readonly expanded?: {
    readonly flags?: readonly string[];
    readonly created_by?: { readonly name: string | null };
  };
};

export interface Waiting extends Choosable {
  readonly payout: HeldPayout;
}

interface Props {
  readonly row: Waiting;
  readonly isChosen: boolean;
  readonly isCurrent: boolean;
  toggle(): void;
  reject(): void;
}

export function Row({ row: { payout, unfit, minor, currency }, isChosen, isCurrent, toggle, reject }: Props) {
  const { destination, release, expanded } = payout;
  const name = destination?.name ?? 'Somebody who is not shown to you';
  const flags = flagsInWords(expanded?.flags ?? []);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const [done, needed] = [release?.approvals.length ?? 0, release?.approvals_required ?? 1];
  return (
    <li ref={item} className={isCurrent ? classes['current'] : undefined} aria-current={isCurrent || undefined}>
      <Checkbox
        aria-label={`Select ${digitsOf(minor, currency)} ${currency} to ${name}`}
        checked={isChosen}
        disabled={unfit !== null}
        onChange={toggle}
        className={classes['box'] ?? ''}
      />
      <div className={classes['who']}>
        <Go to={payoutHref(payout)}>
          <bdi>{name}</bdi>
        </Go>{' '}
        <span className="muted nowrap">{accountEnd(destination)}</span>
        <div className="muted small">
          {payout.reference !== null && (
            <>
              <bdi>{payout.reference}</bdi> ·{' '}
            </>
          )}
          {expanded?.created_by?.name != null && (
            <>
              asked by <bdi>{expanded.created_by.name}</bdi>{' '}
            </>
          )}
          <Time at={payout.created} ago />
          {payout.scheduled_on !== null && (
            <>
              {' '}
              · leaves <Day on={payout.scheduled_on} />
            </>
          )}
          {payout.speed !== 'standard' && ` · ${payout.speed}`}
          {needed > 1 && ` · ${done} of ${needed} have approved`}
        </div>
        <div className="small">{holdsInWords(release?.reasons ?? [])}</div>
        {unfit !== null && <div className="muted small">{unfit}</div>}
      </div>
      {flags.length > 0 && (
        <ul className={classes['flags']} aria-label="Look twice">
          {flags.map((flag) => (
            <li key={flag}>{flag}</li>
          ))}
        </ul>
      )}
      <div className={classes['amount']}>
        <Money minor={minor} currency={currency} />
      </div>
      <Tooltip label={unfit ?? ''} disabled={unfit === null}>
        <span className={classes['reject']}>
          <Button variant="default" size="xs" disabled={unfit !== null} onClick={reject}>
            Reject
          </Button>
        </span>
      </Tooltip>
    </li>
  );
}
