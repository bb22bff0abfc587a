/** What the printer gets of a page: amount, reference and code, black on white. On the screen it is not there. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '../../ui/icons.tsx';
import classes from './payments.module.css';

interface Props {
  readonly amount: ReactNode;
  readonly reference: string | null;
  /** The picture. */
  readonly code: ReactNode;
}

/** Beside the application and not in it, so that everything else can be left out at once. */
export function Sheet({ amount, reference, code }: Props) {
  return createPortal(
    <div className={classes['sheet']} data-sheet>
      <div>{amount}</div>
      {reference !== null && <bdi>{reference}</bdi>}
      {code}
    </div>,
    document.body,
  );
}

export function Print() {
  return (
    <Button variant="default" leftSection={<Icon name="printer" size={16} />} onClick={() => print()}>
      Print
    </Button>
  );
}
