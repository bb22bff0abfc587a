/** The webhook endpoints of the environment: at most 16, disabled ones too. One answer for every page that names them. */
import type { WebhookEndpoint } from '../../../client/src/bursar.ts';
import { pageAt } from '../api/client.ts';
import { useMay } from '../api/me.ts';
import { useRead } from '../api/reads.ts';

export function useEndpoints() {
  const may = useMay();
  return useRead(
    ['webhooks', 'all'],
    async (client) => (await pageAt<WebhookEndpoint>(client, '/v1/webhook_endpoints', { limit: 100 })).data,
    { isOff: !may('webhook_endpoints:read') },
  );
}
