/**
 * The fields of what is sent. While nobody knows whether it happened they cannot be changed: what is sent again is the same, with the same
 * idempotency key, and happens once. Changed, it would happen beside the first.
 */
import type { ReactNode } from 'react';
import { isUnanswered } from '../api/errors.ts';

interface Props {
  /** Why the last try failed: `error` of the write. */
  readonly error: unknown;
  readonly children: ReactNode;
}

export function Fields({ error, children }: Props) {
  const isOpen = isUnanswered(error);
  return (
    <>
      <fieldset className="stack fields" disabled={isOpen}>
        {children}
      </fieldset>
      {isOpen && <p>Nobody knows whether it happened. Press again: the same is sent, and it happens once.</p>}
    </>
  );
}
