/** The list of keys that work on every page (`shortcuts.ts`), with the pages that the role has. */
import { Fragment } from 'react';
import { useMay } from '../api/me.ts';
import { entriesFor } from '../routes.tsx';
import { Dialog } from '../ui/dialog.tsx';
import classes from './shell.module.css';
import { GOES } from './shortcuts.ts';

const ALWAYS = [
  [['Ctrl K', '/'], 'Search'],
  [['j', 'k'], 'The next row of a list, the one before'],
  [['Enter'], 'Open the row'],
  [['?'], 'These keys'],
] as const;

export function Keys({ close }: { close(): void }) {
  const may = useMay();
  const goes = Object.entries(GOES).flatMap(([key, to]) => {
    const entry = entriesFor(may).find(({ path }) => path === to);
    return entry === undefined ? [] : [[['g', key], entry.word] as const];
  });
  return (
    <Dialog title="Keys" isOpen size={420} close={close}>
      <dl className={classes['keys']}>
        {[...ALWAYS, ...goes].map(([keys, word]) => (
          <Fragment key={word}>
            <dt>
              {keys.map((each) => (
                <kbd key={each} className={classes['kbd']}>
                  {each}
                </kbd>
              ))}
            </dt>
            <dd>{word}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
