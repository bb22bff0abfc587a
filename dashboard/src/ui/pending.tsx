/** What somebody has asked for, and what waits for a second person: who asked, what for, and yes or no. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Limit } from '../../../client/src/generated/types.ts';
import type { Bursar } from '../api/client.ts';
import { useActor, useMay } from '../api/me.ts';
import { useWrite, type WriteOptions } from '../api/writes.ts';
import { Action } from './action.tsx';
import { Time } from './time.tsx';
import { Trouble } from './conditions.tsx';
import { Who } from './who.tsx';

interface Props {
  readonly pending: NonNullable<Limit['pending_deletion']>;
  readonly title: string;
  readonly children?: ReactNode;
  /** Scopes that an approval needs beside that of approvers. */
  readonly needs?: string;
  /** Whoever holds `needs` may take it back, also who asked for it. */
  readonly isTakenBack?: boolean;
  approve(client: Bursar, options: WriteOptions, fingerprint: string): Promise<unknown>;
  reject(client: Bursar, options: WriteOptions): Promise<unknown>;
}

export function Pending(props: Props) {
  const { pending, title, children, needs, isTakenBack = false, approve, reject } = props;
  const may = useMay();
  const own = useActor();
  const yes = useWrite((client, options, fingerprint: string) => approve(client, options, fingerprint));
  const no = useWrite((client, options) => reject(client, options));
  const { actors, approvals, approvals_required: needed, at, fingerprint } = pending;
  const holdsBoth = may('payout_approvals:write') && (needs === undefined || may(needs));
  const unfit = !holdsBoth
    ? 'Your role may not approve.'
    : own !== undefined && (actors as readonly string[]).includes(own)
      ? 'You asked for it. Somebody else has to approve it.'
      : approvals.some(({ actor }) => actor === own)
        ? 'You have approved it already.'
        : null;
  const mayReject = isTakenBack && needs !== undefined && may(needs);
  return (
    <div className="notice wait">
      <strong>{title}</strong>
      {children}
      <p className="muted small">
        Asked by{' '}
        {(actors as readonly string[]).map((actor) => (
          <span key={actor}>
            <Who actor={actor} />{' '}
          </span>
        ))}
        <Time at={at} ago />
        {needed > 1 && `; ${approvals.length} of ${needed} have approved`}
      </p>
      <Trouble error={yes.error ?? no.error} />
      <div className="buttons">
        <Button
          variant="default"
          disabled={unfit !== null && !mayReject}
          loading={no.isBusy}
          onClick={() => void no.run()}
        >
          Reject
        </Button>
        <Action reason={unfit} loading={yes.isBusy} onClick={() => void yes.run(fingerprint)}>
          Approve
        </Action>
      </div>
    </div>
  );
}
