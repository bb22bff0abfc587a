/** How an endpoint does, in one sentence, from its own state and its newest deliveries. */
import type { Delivery, WebhookEndpoint } from '../../../../client/src/bursar.ts';
import { pageAt } from '../../api/client.ts';
import { msOf, useClockAheadMs } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { shortOf } from '../../ui/instants.ts';
import { type Mark, State } from '../../ui/state.tsx';
import { attemptInWords } from '../../ui/attempts.ts';
import { type Health as HealthWord, healthOf, type Recent } from './words.ts';

const RECENT = 20;

const MARKS: Readonly<Record<HealthWord, readonly [Mark, string]>> = {
  good: ['done', 'Works'],
  bad: ['bad', 'Fails'],
  wait: ['wait', 'Enabled'],
  off: ['off', 'Disabled'],
};

function recentIn(deliveries: readonly Delivery[]): Recent {
  const tried = deliveries.filter(({ attempts }) => attempts.length > 0);
  const failing = tried.filter(({ status }) => status !== 'succeeded');
  const fault = failing[0]?.attempts.at(-1);
  return {
    succeeded: tried.length - failing.length,
    failing: failing.length,
    lastFault: fault === undefined ? null : attemptInWords(fault),
  };
}

/** The mark with its word, and the sentence. */
export function useHealth(endpoint: WebhookEndpoint): {
  readonly state: readonly [Mark, string];
  readonly sentence: string;
} {
  const aheadMs = useClockAheadMs();
  const { data } = useRead(['deliveries', 'recent', endpoint.id], async (client) => {
    const page = await pageAt<Delivery>(client, '/v1/deliveries', { webhook_endpoint: endpoint.id, limit: RECENT });
    return recentIn(page.data);
  });
  const since = endpoint.first_failed_at === null ? '' : shortOf(msOf(endpoint.first_failed_at), Date.now() + aheadMs);
  const [health, sentence] = healthOf(endpoint, data ?? null, since);
  const isUnread = data === undefined && health === 'wait';
  return { state: MARKS[health], sentence: isUnread ? '' : sentence };
}

export function Health({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { state, sentence } = useHealth(endpoint);
  const [mark, word] = state;
  return (
    <span className="row">
      <State mark={mark} word={word} />
      <span className="muted">{sentence}</span>
    </span>
  );
}
