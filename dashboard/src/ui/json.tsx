/** JSON as it is read: indented, names muted, ids as links, members that changed marked. All of it is text; nothing becomes markup. */
import type { ReactNode } from 'react';
import { hrefOf } from '../links.ts';
import { Go } from './go.tsx';
import classes from './json.module.css';

interface Props {
  readonly value: unknown;
  /** For those who hear the page. */
  readonly label: string;
  /** Names at the top level that are marked. */
  readonly marked?: ReadonlySet<string>;
}

const ID = /^[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}$/;
const MAX_LINES = 2_000;

export function Json({ value, label, marked }: Props) {
  const lines = (JSON.stringify(value, null, 2) ?? 'null').split('\n');
  return (
    <pre className={classes['json']} aria-label={label} role="region" tabIndex={0}>
      {lines.slice(0, MAX_LINES).map((line, index) => (
        <Line key={`${index}`} line={line} marked={marked} />
      ))}
      {lines.length > MAX_LINES && <span>… {lines.length - MAX_LINES} more lines</span>}
    </pre>
  );
}

const FORM = /^(\s*)("(?:[^"\\]|\\.)*": )?(.*?)(,?)$/;

function Line({ line, marked }: { readonly line: string; readonly marked: ReadonlySet<string> | undefined }) {
  const [, indent = '', name = '', value = '', comma = ''] = FORM.exec(line) ?? [];
  const isMarked = indent.length === 2 && name !== '' && marked?.has(name.slice(1, -3)) === true;
  return (
    <span className={isMarked ? classes['marked'] : undefined}>
      {indent}
      <span className={classes['name']}>{name}</span>
      {shown(value)}
      {comma}
      {'\n'}
    </span>
  );
}

function shown(value: string): ReactNode {
  const text = value.startsWith('"') ? value.slice(1, -1) : '';
  const to = ID.test(text) ? hrefOf(text) : undefined;
  return to === undefined ? (
    value
  ) : (
    <>
      "<Go to={to}>{text}</Go>"
    </>
  );
}
