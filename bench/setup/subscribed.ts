/**
 * What the webhook scenario stands on: a server of its own with two sandbox tenants, one of which has an endpoint for
 * everything, and its receiver. Sandbox, because only there may deliveries go to this machine; payouts stand still.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidOf } from '../../src/core/values/ids.ts';
import { deliveryFaults, dueEvents, isSettled, type Subscribed } from '../deliveries.ts';
import { type Inbox, startInbox } from '../load/inbox.ts';
import type { Contestant } from '../measure/pass.ts';
import { withClient } from './cluster.ts';
import { addTenants, type Tenant } from './environments.ts';
import { call } from './requests.ts';
import { startProduct, type World } from './world.ts';

const LOOK_MS = 50;
const PATIENCE_MS = 300_000;

export interface SubscribedWorld extends Subscribed {
  readonly contestant: Contestant;
  readonly inbox: Inbox;
  /** Nobody listens to its events. */
  readonly plain: Tenant;
  readonly tenant: Tenant;
  /** Resolves when nothing is on its way any more; rejects when the books of deliveries are wrong then. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export async function openSubscribed({ cluster, options }: World): Promise<SubscribedWorld> {
  const databaseUrl = await cluster.createDatabase('bench_webhooks');
  const spec = { livemode: false, currencies: ['EUR'] };
  const [plain, tenant] = (await withClient(databaseUrl, (client) =>
    addTenants(client, [
      { merchant: 'plain', ...spec },
      { merchant: 'subscribed', ...spec },
    ]),
  )) as [Tenant, Tenant];
  const program = await startProduct(cluster, options, databaseUrl, { BURSAR_SANDBOX_STEP_SECONDS: '0' });
  const inbox = await startInbox();
  const stop = async () => {
    await program.stop();
    inbox.stop();
  };
  try {
    const body = `url=${encodeURIComponent(inbox.url)}&enabled_events[]=*`;
    const made = await call(program.port, { method: 'POST', path: '/v1/webhook_endpoints', key: tenant.key, body });
    const { id: endpointId } = JSON.parse(made) as { readonly id: string };
    const { environmentId } = tenant;
    const subscribed = { environmentId, endpointId, afterSequence: await lastSequence(databaseUrl, environmentId) };
    const contestant = { program, databaseUrl, gapless: true };
    const settled = () => withClient(databaseUrl, (client) => settle(client, subscribed, inbox));
    return { ...subscribed, contestant, inbox, plain, tenant, settled, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function settle(client: Parameters<typeof dueEvents>[0], subscribed: Subscribed, inbox: Inbox): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  const due = await dueEvents(client, subscribed);
  while ((await inbox.count()).events < due || !(await isSettled(client, subscribed))) {
    if (performance.now() > until) break; // the books say what is missing
    await sleep(LOOK_MS);
  }
  const wrong = await deliveryFaults(client, subscribed, inbox);
  if (wrong.length > 0) throw new Error(`The books of deliveries are wrong: ${wrong.join('; ')}`);
}

async function lastSequence(databaseUrl: string, environmentId: string): Promise<bigint> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ last_sequence: string }>(
      'SELECT last_sequence FROM environments WHERE environment_id = $1',
      [uuidOf(environmentId)],
    );
    return BigInt(rows[0]?.last_sequence ?? 0);
  });
}
