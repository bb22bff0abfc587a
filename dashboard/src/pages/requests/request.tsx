/** One request: what was asked, what was answered, and the others that came with the same idempotency key. */
import { Button } from '@mantine/core';
import { pageAt } from '../../api/client.ts';
import { troubleOf } from '../../api/errors.ts';
import { useRead } from '../../api/reads.ts';
import type { RequestLog } from '../../api/shapes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Go } from '../../ui/go.tsx';
import { Id } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Facts } from '../../ui/page.tsx';
import { CopyCurl } from '../../ui/shell-text.tsx';
import { State } from '../../ui/state.tsx';
import { Time } from '../../ui/time.tsx';
import { Who } from '../../ui/who.tsx';
import { useKept } from './kept.ts';
import { curlOf, deviceInWords, docsOf, markOf, messageOf, NOT_THERE, sourceInWords, tookInWords } from './words.ts';
import classes from './requests.module.css';

export function RequestDetail({ id }: { readonly id: string }) {
  const log = useKept(id);
  if (log.data !== undefined) return <Loaded log={log.data} />;
  if (log.error !== null && troubleOf(log.error) !== 'missing')
    return <Failed error={log.error} again={() => void log.refetch()} what="requests" />;
  if (log.error === null && troubleOf(log.failureReason) !== 'missing') return <Loading lines={8} />;
  return (
    <div className="condition" role="status">
      <Id id={id} whole here />
      {log.error === null ? (
        <p>Not written yet: the log is a second or two behind. Looking again …</p>
      ) : (
        <>
          <p>The log has no such request: {NOT_THERE}</p>
          <Button variant="default" onClick={() => void log.refetch()}>
            Look again
          </Button>
        </>
      )}
    </div>
  );
}

function Loaded({ log }: { readonly log: RequestLog }) {
  const message = messageOf(log.error);
  return (
    <>
      <div>
        <h2 className={classes['title']}>
          {log.method} {log.path}
        </h2>
        <p className="row muted small">
          <State mark={markOf(log.status)} word={String(log.status)} />
          <span>
            <Time at={log.created} /> · {tookInWords(log.duration_ms)}
          </span>
          {log.replayed && <span>answered as the first time: the idempotency key was known</span>}
        </p>
      </div>
      {message !== null && (
        <div className="notice bad">
          <strong>{log.code}</strong>
          {message}
          <p className="small">
            <a href={docsOf(log.error, log.code)} target="_blank" rel="noopener">
              What this code means
            </a>
          </p>
        </div>
      )}
      <div className="row">
        <CopyCurl text={curlOf(log, location.origin)} />
      </div>
      <div className={classes['sides']}>
        <section>
          <h3>Request</h3>
          {isNothing(log.request) ? (
            <p className="muted">No parameters, or a body that could not be read: such a body is not kept.</p>
          ) : (
            <Json value={log.request} label="What was asked" />
          )}
        </section>
        <section>
          <h3>Answer</h3>
          {log.error === null ? <Made log={log} /> : <Json value={log.error} label="What was answered" />}
        </section>
      </div>
      <Facts
        rows={[
          ['By', <Who key="who" actor={log.actor} />],
          ['From', sourceInWords(log.source)],
          ['Address', log.ip],
          ['Program', deviceInWords(log.user_agent)],
          ['Idempotency key', log.idempotency_key],
          ['Request', <Id key="id" id={log.id} whole here />],
        ]}
      />
      {log.idempotency_key !== null && <SameKey log={log} idempotencyKey={log.idempotency_key} />}
    </>
  );
}

const isNothing = (request: unknown): boolean =>
  request === null || request === undefined || (typeof request === 'object' && Object.keys(request).length === 0);

function Made({ log }: { readonly log: RequestLog }) {
  if (log.resource === null) return <p className="muted">It succeeded. Answers of successes are not kept.</p>;
  return (
    <p>
      It made or changed <Id id={log.resource} />
    </p>
  );
}

function SameKey({ log, idempotencyKey }: { readonly log: RequestLog; readonly idempotencyKey: string }) {
  const same = useRead(['requests', 'same key', idempotencyKey], async (client) => {
    const query = { idempotency_key: idempotencyKey, limit: 20 };
    return (await pageAt<RequestLog>(client, '/v1/request_logs', query)).data;
  });
  const others = (same.data ?? []).filter(({ id }) => id !== log.id);
  if (others.length === 0) return null;
  return (
    <section>
      <h3>Others with this idempotency key</h3>
      <ul className={classes['others']}>
        {others.map((other) => (
          <li key={other.id} className="row">
            <State mark={markOf(other.status)} word={String(other.status)} />
            <Go to={`/requests?open=${other.id}`} className="mono">
              {other.method} {other.path}
            </Go>
            <span className="muted small">
              <Time at={other.created} />
              {other.replayed && ' · answered as before'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
