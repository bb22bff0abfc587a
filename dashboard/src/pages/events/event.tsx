/** One event: what it says, what changed, who was told, and who was not yet. */
import { useState } from 'react';
import type { Delivery, Event } from '../../../../client/src/bursar.ts';
import { pageAt } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Id } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Facts } from '../../ui/page.tsx';
import { CopyAsCurl } from '../../ui/shell-text.tsx';
import { Time } from '../../ui/time.tsx';
import { Who } from '../../ui/who.tsx';
import { Deliveries } from '../../ui/deliveries.tsx';
import { useEndpoints } from '../../ui/endpoints.ts';
import { typeInWords } from '../../ui/event-types.ts';

export function EventDetail({ id }: { readonly id: string }) {
  const event = useRead(['event', id], (client) => client.events.retrieve(id) as Promise<Event>);
  if (event.error !== null) return <Failed error={event.error} again={() => void event.refetch()} what="events" />;
  if (event.data === undefined) return <Loading lines={8} />;
  return <Loaded event={event.data} />;
}

function Loaded({ event }: { readonly event: Event }) {
  const { id, type, created, sequence, request, data } = event;
  const object = data.object as { readonly id?: string };
  const before = 'previous_attributes' in data ? data.previous_attributes : undefined;
  const changed = new Set(Object.keys(before ?? {}));
  return (
    <>
      <div>
        <h2>{type}</h2>
        <p className="muted small">
          <Time at={created} /> · number {sequence}
        </p>
      </div>
      <div className="row">
        <SendAgain event={event} />
        <CopyAsCurl path={`/v1/events/${id}`} />
      </div>
      <Facts
        rows={[
          ['Event', <Id key="id" id={id} here />],
          ['About', object.id === undefined ? null : <Id key="object" id={object.id} />],
          ['By', <Who key="actor" actor={request.actor} />],
          ['Request', request.id === null ? null : <Id key="request" id={request.id} />],
          ['Idempotency key', request.idempotency_key],
        ]}
      />
      <section className="stack">
        <h3>Deliveries</h3>
        <OfEvent event={event} />
      </section>
      <section className="stack">
        <h3>{changed.size === 0 ? 'The object' : 'The object after the change'}</h3>
        <Json value={data.object} label={`Object of ${typeInWords(type)}`} marked={changed} />
        {changed.size > 0 && (
          <>
            <h3>What these were before</h3>
            <Json value={before} label="Members before the change" />
          </>
        )}
      </section>
    </>
  );
}

function OfEvent({ event }: { readonly event: Event }) {
  const deliveries = useRead(['deliveries', 'of', event.id], async (client) => {
    return (await pageAt<Delivery>(client, `/v1/events/${event.id}/deliveries`)).data;
  });
  if (deliveries.error !== null) return <Failed error={deliveries.error} what="deliveries" />;
  if (deliveries.data === undefined) return <Loading lines={1} />;
  if (deliveries.data.length === 0) return <p className="muted">No endpoint asks for this type.</p>;
  return <Deliveries deliveries={deliveries.data} by="endpoint" />;
}

function SendAgain({ event }: { readonly event: Event }) {
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const write = useWrite(async (client, options) => {
    const replays = await client.events.resend(event.id, {}, options);
    setSent(replays.data.length);
    return replays;
  });
  const may = useMay();
  const endpoints = useEndpoints();
  const isNobody = endpoints.data?.some(({ status }) => status === 'enabled') === false;
  const reason = !may('webhook_endpoints:write')
    ? 'Your role may not send again.'
    : isNobody
      ? 'No endpoint is enabled.'
      : null;
  return (
    <>
      <Action variant="default" reason={reason} onClick={() => setOpen(true)}>
        Send again
      </Action>
      {sent !== null && (
        <span role="status" className="muted">
          Sent to {sent === 1 ? 'one endpoint' : `${sent} endpoints`}
        </span>
      )}
      <Confirm
        title="Send this event again?"
        verb="Send again"
        isOpen={isOpen}
        write={write}
        input={undefined}
        close={() => setOpen(false)}
      >
        <p>
          It goes to every enabled endpoint that asks for <span className="mono">{event.type}</span>, with the id and
          the body that it had. A receiver that has seen it knows it by its id.
        </p>
      </Confirm>
    </>
  );
}
