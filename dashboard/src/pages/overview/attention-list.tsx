/** The list on top; absent when nothing needs anybody. */
import { Go } from '../../ui/go.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Money } from '../../ui/money.tsx';
import { Card } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { Day, Time } from '../../ui/time.tsx';
import type { Item } from './attention.ts';
import classes from './overview.module.css';

export function Attention({ items }: { readonly items: readonly Item[] }) {
  if (items.length === 0) return null;
  return (
    <Card flush title="Needs attention">
      <ul className={classes['attention']}>
        {items.map((item) => (
          <li key={item.key}>
            {item.to === null ? (
              <Line item={item} />
            ) : (
              <Go to={item.to}>
                <Line item={item} />
              </Go>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The bank says days: how many hours ago one was says nothing. */
const isDay = (since: Item['since']): since is string => typeof since === 'string' && !since.includes('T');

function Line({ item }: { readonly item: Item }) {
  return (
    <>
      <span className={classes['what']}>
        <State mark={item.isBad ? 'bad' : 'wait'} word={item.text} />
      </span>
      <span className={classes['sums']}>
        {item.sums.map(({ minor, currency }) => (
          <Money key={currency} minor={minor} currency={currency} />
        ))}
      </span>
      <span className={classes['since']}>
        {item.since !== null && (
          <>
            {item.sinceWord} {isDay(item.since) ? <Day on={item.since} /> : <Time at={item.since} ago />}
          </>
        )}
      </span>
      <span className={classes['arrow']}>{item.to !== null && <Icon name="right" size={16} />}</span>
    </>
  );
}
