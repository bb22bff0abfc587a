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

interface NoHitProps {
  /** `payout` */
  readonly what: string;
  /** Why there can be none: a filter that the server does not take. */
  readonly why?: string;
  clear(): void;
}

/** There is something, but nothing like the filters. */
export function NoHit({ what, why, clear }: NoHitProps) {
  return (
    <div className="condition" role={why === undefined ? undefined : 'alert'}>
      <p>{why ?? `No ${what} is like that.`}</p>
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

/** Says what went wrong, in the place of the content. Chooses among refused, forbidden, missing and away. */
export function Failed({ error, again, what = 'this' }: FailedProps) {
  const trouble = troubleOf(error);
  if (trouble === 'forbidden') return <Forbidden what={what} />;
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

/** Why a write or a download was refused, in the place where it was asked for. */
export function Trouble({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  const requestId = requestIdOf(error);
  return (
    <div className="trouble" role="alert">
      {troubleOf(error) === 'forbidden' ? 'Your role may not do that.' : sentenceOf(error)}
      {requestId !== '' && <div className="small mono">{requestId}</div>}
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
