/** Deliveries with their attempts in words: each opens to what was answered, when, and when the next attempt is due. */
import type { Delivery, DeliveryAttempt } from '../../../client/src/bursar.ts';
import { pageAt } from '../api/client.ts';
import { useRead } from '../api/reads.ts';
import { Go } from './go.tsx';
import { Id, shortId } from './id.tsx';
import { State } from './state.tsx';
import { Time } from './time.tsx';
import { attemptInWords } from './attempts.ts';
import { deliveryState } from './words.ts';
import classes from './deliveries.module.css';

interface Props {
  readonly deliveries: readonly Delivery[];
  /** What the reader does not know already. */
  readonly by: 'endpoint' | 'event';
}

export function Deliveries({ deliveries, by }: Props) {
  return (
    <ul className={classes['deliveries']}>
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <Row delivery={delivery} by={by} />
        </li>
      ))}
    </ul>
  );
}

function Row({ delivery, by }: { readonly delivery: Delivery; readonly by: Props['by'] }) {
  const last = delivery.attempts.at(-1);
  return (
    <details className={classes['delivery']}>
      <summary>
        <State {...deliveryState(delivery)} />
        <span className={classes['what']}>
          {by === 'event' ? (
            (delivery.event_type ?? 'event, deleted for its age')
          ) : (
            <EndpointName id={delivery.webhook_endpoint} />
          )}
        </span>
        <span className="muted">
          {last === undefined ? (
            'Not sent yet'
          ) : (
            <>
              {attemptInWords(last)}
              {delivery.attempts.length > 1 && ` · attempt ${delivery.attempts.length}`} · <Time at={last.started_at} />
            </>
          )}
        </span>
      </summary>
      <div className={classes['inside']}>
        <p className="row small muted">
          {by === 'event' && delivery.event !== null && <Id id={delivery.event} />}
          {by === 'endpoint' && <Go to={`/webhooks/${delivery.webhook_endpoint}`}>Endpoint</Go>}
          <span>number {delivery.sequence}</span>
          {delivery.next_attempt_at !== null && (
            <span>
              next attempt <Time at={delivery.next_attempt_at} ago />
            </span>
          )}
        </p>
        {delivery.attempts.length === 0 && <p className="muted">Nothing was sent yet.</p>}
        <ol className={classes['attempts']}>
          {[...delivery.attempts].reverse().map((attempt, index) => (
            <li key={`${attempt.started_at}-${index}`}>
              <AttemptRow attempt={attempt} number={delivery.attempts.length - index} />
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}

function AttemptRow({ attempt, number }: { readonly attempt: DeliveryAttempt; readonly number: number }) {
  return (
    <>
      <p className="row">
        <span className="muted">{number}.</span>
        <Time at={attempt.started_at} />
        <span className={attempt.outcome === 'succeeded' ? undefined : 'bad'}>{attemptInWords(attempt)}</span>
      </p>
      {attempt.error !== null && attempt.outcome !== 'status' && <p className="small muted">{attempt.error}</p>}
      {attempt.response !== null && attempt.response !== '' && (
        <pre className={classes['answer']} tabIndex={0} aria-label={`Answer to attempt ${number}`}>
          {attempt.response}
        </pre>
      )}
    </>
  );
}

interface Named {
  readonly id: string;
  readonly description: string | null;
  readonly url: string;
}

/** Its description, else its address, else the end of its id: an endpoint that was deleted. */
function EndpointName({ id }: { readonly id: string }) {
  const endpoints = useRead(['webhooks', 'names'], async (client) => {
    const { data } = await pageAt<Named>(client, '/v1/webhook_endpoints', { limit: 100 });
    return data;
  });
  const found = endpoints.data?.find((endpoint) => endpoint.id === id);
  return <>{found?.description ?? found?.url ?? shortId(id)}</>;
}
