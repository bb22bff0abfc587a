/** A new endpoint; its secret is shown once. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { WebhookEndpointWithSecret } from '../../../../client/src/bursar.ts';
import { useHere } from '../../api/environment.tsx';
import { useWrite } from '../../api/writes.ts';
import { Once } from '../../ui/once.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { EMPTY, type FormValues, sentOf } from './form-values.ts';

export function NewWebhook() {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [made, setMade] = useState<WebhookEndpointWithSecret | null>(null);
  const write = useWrite((client, options, values: FormValues) =>
    client.webhookEndpoints.create(sentOf(values), options),
  );
  const leave = (id?: string) => navigate(`/${mode}/webhooks${id === undefined ? '' : `/${id}`}`);
  return (
    <Page title="Add an endpoint" from={{ to: '/webhooks', word: 'Webhooks' }}>
      <Card>
        <EndpointForm
          values={EMPTY}
          verb="Add"
          write={write}
          isLive={mode === 'live'}
          done={(answer) => {
            const { id, secret } = answer as Partial<WebhookEndpointWithSecret>;
            if (secret === undefined)
              leave(id); // an answer that came a second time: its page can roll the secret
            else setMade(answer as WebhookEndpointWithSecret);
          }}
          cancel={() => leave()}
        />
      </Card>
      <Once title="The signing secret" secret={made?.secret ?? null} close={() => leave(made?.id)}>
        By it the receiver knows that a delivery is from here. It is shown only now; later it can be rolled, and not
        read.
      </Once>
    </Page>
  );
}
