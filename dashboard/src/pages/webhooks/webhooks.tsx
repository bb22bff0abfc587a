/** Webhook endpoints, at most 16: where events go, which, and how each endpoint does. */
import { Empty, Failed, Loading } from '../../ui/conditions.tsx';
import { useEndpoints } from '../../ui/endpoints.ts';
import { Go } from '../../ui/go.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { curlOf } from '../../ui/shell-text.tsx';
import { eventsInWords } from './form-values.ts';
import { Health } from './health.tsx';
import classes from './webhooks.module.css';

const CURL = { method: 'POST', path: '/v1/webhook_endpoints', body: { url: 'https://example.com/bursar' } } as const;

export function Webhooks() {
  const endpoints = useEndpoints();
  const add = (
    <NewButton word="Add an endpoint" to="/webhooks/new" needs={['webhook_endpoints:write']} verb="add endpoints" />
  );
  return (
    <Page
      title="Webhooks"
      about={<span className="muted">Each event is sent, signed, to every endpoint that asks for its type.</span>}
      actions={endpoints.data?.length === 0 ? undefined : add}
    >
      {endpoints.error !== null ? (
        <Failed error={endpoints.error} again={() => void endpoints.refetch()} what="webhooks" />
      ) : endpoints.data === undefined ? (
        <Loading lines={3} />
      ) : endpoints.data.length === 0 ? (
        <Empty curl={curlOf(CURL)} action={add}>
          No endpoint is sent events yet.
        </Empty>
      ) : (
        <Card flush>
          <ul className={classes['endpoints']}>
            {endpoints.data.map((endpoint) => (
              <li key={endpoint.id}>
                <div className={classes['head']}>
                  <Go to={`/webhooks/${endpoint.id}`} className={classes['name'] ?? ''}>
                    {endpoint.description ?? endpoint.url}
                  </Go>
                  <span className="muted small">{eventsInWords(endpoint.enabled_events)}</span>
                </div>
                {endpoint.description !== null && <span className="mono muted">{endpoint.url}</span>}
                <Health endpoint={endpoint} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}
