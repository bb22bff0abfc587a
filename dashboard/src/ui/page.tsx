/** The frame of a page: where it stands, its heading, what can be done, and the title of the tab, which names the mode. */
import { type ReactNode, useEffect } from 'react';
import { useHere } from '../api/environment.tsx';
import { Go } from './go.tsx';

interface PageProps {
  /** Of the tab, and the heading where there is no other. */
  readonly title: string;
  /** Instead of the title: an amount, a name with a state. */
  readonly heading?: ReactNode;
  /** Under the heading, muted. */
  readonly about?: ReactNode;
  /** The list that this page came from. */
  readonly from?: { readonly to: string; readonly word: string };
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const modeWord = (mode: string): string => (mode === 'live' ? 'Live' : 'Sandbox');

export function Page({ title, heading, about, from, actions, children }: PageProps) {
  const { mode } = useHere();
  useEffect(() => {
    document.title = `${title} · ${modeWord(mode)} · Bursar`;
  }, [title, mode]);
  return (
    <div className="page">
      {from !== undefined && (
        <nav className="from" aria-label="Where this page belongs">
          <Go to={from.to}>{from.word}</Go>
        </nav>
      )}
      <header className="page-head">
        <div className="grow">
          <h1>{heading ?? title}</h1>
          {about !== undefined && <div className="about">{about}</div>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title?: ReactNode;
  /** At the right of the title: one link or control. */
  readonly aside?: ReactNode;
  /** Rows that reach the edges. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Card({ title, aside, flush = false, children }: CardProps) {
  return (
    <section className={flush ? 'card flush' : 'card'}>
      {title !== undefined && (
        <header className="card-head">
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}

/** Names and values. Values that are `null`, `undefined` or `''` leave their row out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
