/** What would loosen the rules, and waits for a second person: who asked, what for, and yes or no. */
import { Button, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Limit } from '../../../../client/src/generated/types.ts';
import type { Bursar } from '../../api/client.ts';
import { useActor, useMay } from '../../api/me.ts';
import { useWrite, type WriteOptions } from '../../api/writes.ts';
import { Time } from '../../ui/time.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { Who } from '../../ui/who.tsx';

interface Props {
  readonly pending: NonNullable<Limit['pending_deletion']>;
  readonly title: string;
  readonly children?: ReactNode;
  approve(client: Bursar, options: WriteOptions, fingerprint: string): Promise<unknown>;
  reject(client: Bursar, options: WriteOptions): Promise<unknown>;
}

export function Pending({ pending, title, children, approve, reject }: Props) {
  const may = useMay();
  const own = useActor();
  const yes = useWrite((client, options, fingerprint: string) => approve(client, options, fingerprint));
  const no = useWrite((client, options) => reject(client, options));
  const { actors, approvals, approvals_required: needed, at, fingerprint } = pending;
  const unfit = !may('payout_approvals:write')
    ? 'Your role may not approve.'
    : own !== undefined && (actors as readonly string[]).includes(own)
      ? 'You asked for it. Somebody else has to approve it.'
      : approvals.some(({ actor }) => actor === own)
        ? 'You have approved it already.'
        : null;
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
      <Tooltip label={unfit ?? ''} disabled={unfit === null}>
        <div className="buttons">
          <Button variant="default" disabled={unfit !== null} loading={no.isBusy} onClick={() => void no.run()}>
            Reject
          </Button>
          <Button disabled={unfit !== null} loading={yes.isBusy} onClick={() => void yes.run(fingerprint)}>
            Approve
          </Button>
        </div>
      </Tooltip>
    </div>
  );
}
