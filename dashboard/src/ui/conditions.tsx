/** What a page shows instead of its content: it is read, there is nothing, nothing is like that, it failed, it is not for this role. */
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { requestIdOf, sentenceOf, troubleOf } from '../api/errors.ts';
import { Copy } from './id.tsx';
import { Shell } from './shell-text.tsx';

/** Nothing for 150 ms, then grey shapes of the final size: `lines` rows of 44 px. */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status" aria-label="Loading">
      {isLate && Array.from({ length: lines }, (_, line) => <div key={line} className="grey" />)}
    </div>
  );
}

interface EmptyProps {
  /** One sentence. */
  readonly children: ReactNode;
  /** The line that fills it. */
  readonly curl?: string;
  readonly action?: ReactNode;
}

/** There is nothing yet. */
export function Empty({ children, curl, action }: EmptyProps) {
  return (
    <div className="condition">
      <p>{children}</p>
      {curl !== undefined && <Shell text={curl} />}
      {action}
    </div>
  );
}

/** There is something, but nothing like the filters. `what`: `payout`. */
export function NoHit({ what, clear }: { readonly what: string; clear(): void }) {
  return (
    <div className="condition">
      <p>No {what} is like that.</p>
      <Button variant="default" onClick={clear}>
        Clear filters
      </Button>
    </div>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly again?: (() => void) | undefined;
  /** `keys`: for the sentence of a page that the role may not see. */
  readonly what?: string;
}

/** Says what went wrong, in the place of the content. Chooses among refused, forbidden, missing, absent and away. */
export function Failed({ error, again, what = 'this' }: FailedProps) {
  const trouble = troubleOf(error);
  if (trouble === 'forbidden') return <Forbidden what={what} />;
  if (trouble === 'absent') return <Condition>This server does not have this yet. A newer one does.</Condition>;
  const requestId = requestIdOf(error);
  return (
    <div className="condition" role="alert">
      <p>{trouble === 'missing' ? 'There is nothing under this address.' : sentenceOf(error)}</p>
      {requestId !== '' && (
        <p className="small muted">
          Request <span className="mono">{requestId}</span> <Copy text={requestId} what="the request id" />
        </p>
      )}
      {again !== undefined && trouble !== 'missing' && (
        <Button variant="default" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function Forbidden({ what }: { readonly what: string }) {
  return <Condition>You may not see {what}. An administrator of your company can give you a role that may.</Condition>;
}

function Condition({ children }: { readonly children: ReactNode }) {
  return (
    <div className="condition">
      <p>{children}</p>
    </div>
  );
}
