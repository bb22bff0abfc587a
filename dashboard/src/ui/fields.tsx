/**
 * The fields of what is sent. They cannot be changed while it is under way, and while nobody knows whether it happened: what is sent again then is
 * the same, with the same idempotency key, and happens once. Changed, it would happen beside the first. Whoever stood in a field stands in it again.
 */
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Write } from '../api/writes.ts';

interface Props {
  readonly write: Pick<Write<never, unknown>, 'again' | 'isBusy'>;
  readonly children: ReactNode;
}

export function Fields({ write, children }: Props) {
  const isLocked = write.isBusy || write.again !== null;
  const left = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isLocked) return;
    // The browser takes the focus from a field that is off.
    if (document.activeElement === document.body) left.current?.focus();
  }, [isLocked]);
  return (
    <>
      <fieldset
        className="stack fields"
        disabled={isLocked}
        onFocus={(event) => (left.current = event.target)}
        onBlur={(event) => event.relatedTarget !== null && (left.current = null)}
      >
        {children}
      </fieldset>
      {write.again !== null && (
        <p>Nobody knows whether it happened. Press again: the same is sent, and it happens once.</p>
      )}
    </>
  );
}
