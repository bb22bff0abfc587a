/** One endpoint: how it does, what was sent to it, and what can be done. */
import { useState } from 'react';
import { useParams } from 'wouter';
import type { Delivery, WebhookEndpoint } from '../../../../client/src/bursar.ts';
import { pageAt } from '../../api/client.ts';
import { useHere } from '../../api/environment.tsx';
import { useList, useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Choice } from '../../ui/filter-fields.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Id } from '../../ui/id.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Button } from '@mantine/core';
import { Actions } from './actions.tsx';
import { Deliveries } from '../../ui/deliveries.tsx';
import { Unread } from '../../ui/unread.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { changesOf, eventsInWords, type FormValues, valuesOf } from './form-values.ts';
import { Health } from './health.tsx';
import { Replays } from './replay.tsx';

const FROM = { to: '/webhooks', word: 'Webhooks' };

export function Webhook() {
  const { id = '' } = useParams() as { readonly id?: string };
  return <One key={id} id={id} />;
}

function One({ id }: { readonly id: string }) {
  const [isEdited, setEdited] = useState(false);
  const endpoint = useRead(
    ['webhook', id],
    (client) => client.webhookEndpoints.retrieve(id) as Promise<WebhookEndpoint>,
  );
  if (endpoint.data === undefined) {
    return <Unread title="Webhook" from={FROM} what="webhooks" read={endpoint} />;
  }
  if (isEdited) return <Edit endpoint={endpoint.data} done={() => setEdited(false)} />;
  const { url, description, enabled_events: events, version, ordered, headers, created } = endpoint.data;
  const names = Object.keys(headers);
  return (
    <Page
      title={description ?? url}
      from={FROM}
      about={<Health endpoint={endpoint.data} />}
      actions={<Actions endpoint={endpoint.data} edit={() => setEdited(true)} />}
    >
      <div className="columns">
        <DeliveriesCard id={id} />
        <div className="stack">
          <Replays endpoint={id} />
          <Card title="Details">
            <Facts
              rows={[
                [
                  'Address',
                  <span key="url" className="mono">
                    {url}
                  </span>,
                ],
                ['Events', eventsInWords(events)],
                ['Order', ordered ? 'One at a time, in order' : 'As fast as they come'],
                ['Own headers', names.length === 0 ? null : names.join(', ')],
                ['Version', version],
                ['Added', <Time key="created" at={created} />],
                ['Id', <Id key="id" id={id} whole here />],
              ]}
            />
          </Card>
        </div>
      </div>
    </Page>
  );
}

const STATES = [
  { value: 'pending', label: 'Waiting' },
  { value: 'succeeded', label: 'Delivered' },
  { value: 'failed', label: 'Given up' },
  { value: 'held', label: 'Held' },
  { value: 'parked', label: 'Put aside' },
];

function DeliveriesCard({ id }: { readonly id: string }) {
  const filters = useFilters({ status: 'one' } as const);
  const { status } = filters.values;
  const query = { webhook_endpoint: id, limit: 20, ...(status !== '' && { status: [status] }) };
  const list = useList(['deliveries', query], (client) => pageAt<Delivery>(client, '/v1/deliveries', query));
  return (
    <Card
      title="Deliveries"
      aside={
        <Choice
          label="Every state"
          value={status}
          options={STATES}
          onChange={(next) => filters.set({ status: next })}
        />
      }
    >
      {list.error !== null ? (
        <Failed error={list.error} again={list.again} what="deliveries" />
      ) : list.isLoading ? (
        <Loading />
      ) : list.rows.length === 0 ? (
        <p className="muted">
          {status === '' ? 'Nothing was sent to it yet. Send a test.' : 'No delivery is like that.'}
        </p>
      ) : (
        <>
          <Deliveries deliveries={list.rows} by="event" />
          {list.hasMore && (
            <Button variant="default" mt="md" loading={list.isLoadingMore} onClick={list.more}>
              Show more
            </Button>
          )}
        </>
      )}
    </Card>
  );
}

function Edit({ endpoint, done }: { readonly endpoint: WebhookEndpoint; done(): void }) {
  const { mode } = useHere();
  const [first] = useState(() => valuesOf(endpoint));
  const write = useWrite((client, options, values: FormValues) =>
    client.webhookEndpoints.update(endpoint.id, changesOf(first, values), options),
  );
  return (
    <Page
      title={`Edit ${endpoint.description ?? endpoint.url}`}
      from={{ to: `/webhooks/${endpoint.id}`, word: 'Endpoint' }}
    >
      <Card>
        <EndpointForm values={first} verb="Save" write={write} isLive={mode === 'live'} done={done} cancel={done} />
      </Card>
    </Page>
  );
}
