/** Sending again: what did not arrive, or everything of a period; and how far such a job has come. */
import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import type { WebhookReplay } from '../../../../client/src/bursar.ts';
import { pageAt } from '../../api/client.ts';
import { faultOf } from '../../api/errors.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { HALF } from '../../ui/half.ts';
import { InstantField, secondsOf } from '../../ui/instant-field.tsx';
import { Card } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { replayShare } from './words.ts';
import classes from './webhooks.module.css';

type What = 'failed' | 'all';

interface Sent {
  readonly only: What;
  readonly created?: { readonly gte?: number; readonly lte?: number };
}

export function ReplayButton({ endpoint, isOff }: { readonly endpoint: string; readonly isOff: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [what, setWhat] = useState<What>('failed');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const write = useWrite((client, options, sent: Sent) => client.webhookEndpoints.replay(endpoint, sent, options));
  const [gte, lte] = [secondsOf(from), secondsOf(to)];
  const hasRange = gte !== undefined || lte !== undefined;
  const input: Sent = {
    only: what,
    ...(hasRange && { created: { ...(gte !== undefined && { gte }), ...(lte !== undefined && { lte }) } }),
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)} disabled={isOff}>
        Send again
      </Button>
      <Confirm
        title="Send events again"
        verb="Send again"
        isOpen={isOpen}
        isIncomplete={(what === 'all' && !hasRange) || from === HALF || to === HALF}
        write={write}
        input={input}
        close={() => setOpen(false)}
      >
        <p>Ids and bodies stay the same, so that a receiver knows what it has seen.</p>
        <Radio.Group label="Which" value={what} onChange={setWhat}>
          <div className="stack">
            <Radio value="failed" label="What did not arrive, also what was held" />
            <Radio value="all" label="Everything of a period, also what arrived" />
          </div>
        </Radio.Group>
        <div className="row">
          <InstantField label="From" value={from} onChange={setFrom} error={faultOf(write.error, 'created')} />
          <InstantField label="Until" value={to} onChange={setTo} />
        </div>
        <p className="small muted">
          {what === 'all' ? 'A period is needed here.' : 'Without a period: all that did not arrive in 90 days.'}
        </p>
      </Confirm>
    </>
  );
}

const WHICH: Readonly<Record<string, string>> = {
  failed: 'What did not arrive',
  all: 'Everything of a period',
  named: 'One event',
};

/** The newest jobs; absent while there is none. */
export function Replays({ endpoint }: { readonly endpoint: string }) {
  const replays = useRead(['replays', endpoint], async (client) => {
    const { data } = await pageAt<WebhookReplay>(client, '/v1/webhook_replays', {
      webhook_endpoint: endpoint,
      limit: 5,
    });
    return data;
  });
  if (replays.data === undefined || replays.data.length === 0) return null;
  return (
    <Card title="Sent again">
      <ul className={classes['replays']}>
        {replays.data.map((replay) => (
          <li key={replay.id}>
            <p className="row">
              <span>{WHICH[replay.only] ?? replay.only}</span>
              <span className="muted small">
                <Time at={replay.created} />
              </span>
            </p>
            {replay.status !== 'completed' && (
              <progress
                className={classes['bar']}
                value={replayShare(replay)}
                max={1}
                aria-label="Progress of sending again"
              />
            )}
            <p className="small muted">
              {replay.status === 'completed'
                ? 'Done: '
                : `At number ${replay.reached_sequence} of ${replay.until_sequence}: `}
              {replay.deliveries_count === 1 ? '1 delivery' : `${replay.deliveries_count} deliveries`} sent again
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
