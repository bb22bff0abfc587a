/** The pages that the role may read, in groups. */
import { useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { useMay } from '../api/me.ts';
import { type Entry, PAGES } from '../routes.tsx';
import { Go } from '../ui/go.tsx';
import { Icon } from '../ui/icons.tsx';
import classes from './shell.module.css';

const GROUPS: readonly Entry['group'][] = ['', 'Money', 'Bank', 'Developers', 'Company'];

export function Navigation() {
  const { mode } = useHere();
  const may = useMay();
  const [path] = useLocation();
  const isCurrent = (at: string) =>
    at === '/'
      ? path === `/${mode}` || path === `/${mode}/`
      : path === `/${mode}${at}` || path.startsWith(`/${mode}${at}/`);
  const entries = PAGES.flatMap(({ path, entry }) => (entry === undefined ? [] : [{ path, ...entry }])).filter(
    ({ scope, isOfSandbox = false }) => (scope === undefined || may(scope)) && (mode === 'sandbox' || !isOfSandbox),
  );
  return (
    <nav aria-label="Pages" className={classes['nav']}>
      {GROUPS.map((group) => {
        const those = entries.filter((entry) => entry.group === group);
        if (those.length === 0) return null;
        return (
          <div key={group} className={classes['group']}>
            {group !== '' && <div className={classes['group-name']}>{group}</div>}
            {those.map(({ path, word, icon }) => (
              <Go key={path} to={path === '/' ? '' : path} aria-current={isCurrent(path) ? 'page' : undefined}>
                <Icon name={icon} />
                {word}
              </Go>
            ))}
          </div>
        );
      })}
    </nav>
  );
}
