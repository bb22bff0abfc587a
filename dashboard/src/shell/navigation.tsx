/** The pages that the role may read, in groups. */
import { VisuallyHidden } from '@mantine/core';
import { useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { get } from '../api/client.ts';
import { useIsRoleKnown, useMay } from '../api/me.ts';
import { useRead } from '../api/reads.ts';
import type { Summary } from '../api/shapes.ts';
import { entriesFor, type Entry } from '../routes.tsx';
import { countOf } from '../ui/digits.ts';
import { Go } from '../ui/go.tsx';
import { Icon } from '../ui/icons.tsx';
import classes from './shell.module.css';

const GROUPS: readonly Entry['group'][] = ['', 'Money', 'Bank', 'Developers', 'Company'];

export function Navigation() {
  const { mode } = useHere();
  const may = useMay();
  const isUnknown = !useIsRoleKnown();
  const [path] = useLocation();
  // The same answer as that of the overview.
  const summary = useRead(['summary'], (client) => get<Summary>(client, '/v1/summary'), {
    isOff: isUnknown || !may('summary:read'),
  });
  const isCurrent = (at: string) =>
    at === '/'
      ? path === `/${mode}` || path === `/${mode}/`
      : path === `/${mode}${at}` || path.startsWith(`/${mode}${at}/`);
  const entries = entriesFor((scope) => !isUnknown && may(scope), mode === 'sandbox');
  return (
    <nav aria-label="Pages" className={classes['nav']}>
      {GROUPS.map((group) => {
        const those = entries.filter((entry) => entry.group === group);
        if (those.length === 0) return null;
        return (
          <div key={group} className={classes['group']}>
            {group !== '' && <div className={classes['group-name']}>{group}</div>}
            {those.map(({ path, word, icon, counts, also = [] }) => (
              <Go
                key={path}
                to={path === '/' ? '' : path}
                aria-current={[path, ...also].some(isCurrent) ? 'page' : undefined}
              >
                <Icon name={icon} />
                {word}
                {counts !== undefined && <Count of={summary.data?.payouts[counts] ?? 0} />}
              </Go>
            ))}
          </div>
        );
      })}
    </nav>
  );
}

/** Nothing where there is nothing. */
function Count({ of }: { readonly of: number }) {
  if (of === 0) return null;
  return (
    <span className={classes['counter']}>
      {countOf(of)}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  );
}
