/** What happened, oldest first: a line, a mark for each entry, words, when and by whom. */
import type { ReactNode } from 'react';
import type { Instant } from '../api/shapes.ts';
import type { Mark } from './state.tsx';
import { Time } from './time.tsx';

export interface TimelineEntry {
  readonly key: string;
  readonly at: Instant;
  readonly mark?: Mark;
  readonly text: ReactNode;
  /** By whom, with what. */
  readonly about?: ReactNode;
}

export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol className="timeline">
      {entries.map(({ key, at, mark = 'done', text, about }) => (
        <li key={key} className={mark}>
          <div className="text">{text}</div>
          <div className="small muted">
            <Time at={at} />
            {about !== undefined && <> · {about}</>}
          </div>
        </li>
      ))}
    </ol>
  );
}
