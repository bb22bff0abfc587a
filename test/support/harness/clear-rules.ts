/** Puts the rules of payouts of the first merchant back to none, by as many people as that takes. */
import type { Application } from './application.ts';
import { must } from './tenant-fixture.ts';

interface Pending {
  readonly fingerprint: string;
}
interface ShownLimit {
  readonly id: string;
  readonly pending_deletion: Pending | null;
}

/** As many as may have to approve. */
const MOST_APPROVERS = 2;

export async function clearRules(application: Application, of: 'sandbox' | 'live' = 'sandbox'): Promise<void> {
  const { client } = application[of];
  const limits = async () => (must(await client.get('/v1/limits')).json as unknown as { data: ShownLimit[] }).data;
  const none = { frozen: false, hold_new_recipients_hours: 0, hold_bank_accounts: false, approvals_required: 1 };
  must(await client.post('/v1/settings/payouts', none));
  for (const { id } of await limits()) must(await client.send('DELETE', `/v1/limits/${id}`, '', {}));
  for (let people = 0; people < MOST_APPROVERS; people += 1) {
    const approver = (await application.key({ name: 'approver', livemode: of === 'live' })).client;
    const pending = must(await client.get('/v1/settings/payouts')).json['pending_changes'] as Pending | null;
    if (pending) must(await approver.post('/v1/settings/payouts/approve', { fingerprint: pending.fingerprint }));
    for (const { id, pending_deletion: asked } of await limits()) {
      if (asked) must(await approver.post(`/v1/limits/${id}/approve`, { fingerprint: asked.fingerprint }));
    }
  }
}
