/** The three lists of money that comes in, under the heading of each. One that the role may not read is absent. */
import { useLocation } from 'wouter';
import { useHere } from '../../api/environment.tsx';
import { useMay } from '../../api/me.ts';
import { Go } from '../../ui/go.tsx';
import classes from './payments.module.css';

const TABS = [
  { to: '/payments', word: 'Payments', scope: 'payments:read' },
  { to: '/payment-links', word: 'Payment links', scope: 'payment_links:read' },
  { to: '/expected-payments', word: 'Expected', scope: 'payments:read' },
] as const;

export function Tabs() {
  const { mode } = useHere();
  const may = useMay();
  const [path] = useLocation();
  return (
    <nav className={classes['tabs']} aria-label="Kinds of payments">
      {TABS.filter(({ scope }) => may(scope)).map(({ to, word }) => (
        <Go key={to} to={to} aria-current={path === `/${mode}${to}` ? 'page' : undefined}>
          {word}
        </Go>
      ))}
    </nav>
  );
}
