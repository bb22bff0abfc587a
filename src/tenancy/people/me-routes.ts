/**
 * Who asks, and where: what a client needs to know first, and what a page asks every few seconds. `sequence` says whether anything has changed.
 * Any key and any session may ask; it shows nothing that they could not find out.
 */
import { answers, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { renderMe } from './me-schema.ts';
import { actorOfKey, actorOfUser } from './sql.ts';

const route = routesOf('Users', null);

const statementOf = ({ environmentId, actorId, session }: Caller) =>
  session === null ? actorOfKey(environmentId, actorId) : actorOfUser(environmentId, actorId);

export function meRoutes(service: Service): Route[] {
  return [
    route('retrieveMe', 'GET /v1/me', {
      summary: 'Retrieve who asks',
      description:
        'The key or the person that asks, its environment and what it may do. `sequence` is that of the newest event: while it stays, nothing has changed. Every key may ask.',
      response: answers('Me', {
        object: 'me',
        livemode: true,
        sequence: 4711,
        now: 1_732_184_000,
        merchant: { id: 'mer_01jd3v9q4ne8v8k3w2m6r5t7xa', name: 'Engines Ltd' },
        environment: 'env_01jd3v9q4ne8v8k3w2m6r5t7xa',
        actor: { id: 'key_01jd3v9q4ne8v8k3w2m6r5t7xa', name: 'payroll', kind: 'key' },
        scopes: ['payouts:write', 'recipients:read'],
        accounts: null,
        roles: null,
        stepped_up_until: null,
      }),
      handle: async ({ caller }) => {
        const [row] = await service.rows(statementOf(caller));
        return { status: 200, body: renderMe(row, caller) };
      },
    }),
  ];
}
