/**
 * What the door of the service does, for a page that is worked on: `/dashboard/api/v1/*` goes to a running server as `/v1/*`
 * with the key of `BURSAR_KEY`, and the session is a made-up person with every role. Development only; no build has it.
 * Where the server has no `/v1/me` yet, the newest event stands in for it.
 *
 * `BURSAR_URL` (default http://127.0.0.1:4711) is the server. `DASHBOARD_SIGNED_OUT=1` answers as if nobody were signed in.
 */
import { request as ask } from 'node:http';
import type { Plugin } from 'vite';

const PERSON = {
  id: 'usr_01m8900000800000000000000a',
  name: 'Ada Byron',
  email: 'ada@example.com',
  second_factor: 'passkey',
  methods: ['passkey'],
};
const ROLES = ['admin', 'approver', 'operator', 'accountant', 'developer'];
const MERCHANT = { id: 'mer_01m89000008000000000000001', name: 'Analytical Engines' };
const environmentOf = (mode: 'sandbox' | 'live') => ({
  id: `env_01m8900000800000000000000${mode === 'live' ? 'b' : 'c'}`,
  merchant: MERCHANT,
  livemode: mode === 'live',
  mode,
  roles: ROLES,
  status: 'active',
});

export function standIn(env: Readonly<Record<string, string | undefined>>): Plugin {
  const server = new URL(env['BURSAR_URL'] ?? 'http://127.0.0.1:4711');
  return {
    name: 'stand-in',
    configureServer({ middlewares }) {
      middlewares.use('/dashboard/api/session', (request, response, next) => {
        if (request.url !== '/' && request.url !== '') return next();
        const inTwelveHours = new Date(Date.now() + 12 * 3_600_000).toISOString();
        const session = {
          person: PERSON,
          environments: [environmentOf('live'), environmentOf('sandbox')],
          ends_at: inTwelveHours,
          stepped_up_until: null,
          needs: null,
        };
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(env['DASHBOARD_SIGNED_OUT'] === undefined ? session : { person: null }));
      });
      middlewares.use('/dashboard/api/v1/me', (_request, response, next) => {
        meOf(server, env['BURSAR_KEY'] ?? '').then((me) => {
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify(me));
        }, next);
      });
      middlewares.use('/dashboard/api/v1', (request, response) => {
        const headers = { ...request.headers, host: server.host, authorization: `Bearer ${env['BURSAR_KEY'] ?? ''}` };
        const path = `/v1${request.url ?? ''}`;
        const onward = ask(
          { host: server.hostname, port: server.port, path, method: request.method, headers },
          (from) => {
            response.writeHead(from.statusCode ?? 502, from.headers);
            from.pipe(response);
          },
        );
        onward.on('error', () => response.writeHead(502).end());
        request.pipe(onward);
      });
    },
  };
}

async function meOf(server: URL, key: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}` };
  const real = await fetch(new URL('/v1/me', server), { headers });
  if (real.ok) return real.json();
  const events = await fetch(new URL('/v1/events?limit=1', server), { headers });
  const { data = [] } = (await events.json()) as { readonly data?: readonly { readonly sequence: number }[] };
  const clock = await fetch(new URL('/v1/test_helpers/clock', server), { headers });
  const { now } = clock.ok
    ? ((await clock.json()) as { readonly now: number })
    : { now: Math.floor(Date.now() / 1_000) };
  return {
    object: 'me',
    livemode: false,
    sequence: data[0]?.sequence ?? 0,
    now,
    merchant: MERCHANT,
    environment: environmentOf('sandbox').id,
    actor: { id: PERSON.id, name: PERSON.name, kind: 'user' },
    scopes: null,
    accounts: null,
    roles: ROLES,
    stepped_up_until: null,
  };
}
