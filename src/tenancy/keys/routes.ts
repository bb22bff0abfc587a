/**
 * The operations of keys. The text of a new key is made and sealed here, and opened here as its answer leaves: in commands, in the
 * database and in idempotency records it is sealed or a hash. Decisions: `decide.ts`.
 */
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { oneOf } from '../../platform/http/request/params.ts';
import { isAdministrator } from '../../platform/http/roles.ts';
import {
  answers,
  answersList,
  type Answer,
  type Call,
  type Caller,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { missing, readsOf, type Service } from '../../platform/http/service.ts';
import type { KeyCommand } from './slice.ts';
import type { NewKey, Powers } from './decide.ts';
import { API_KEY } from './fields.ts';
import type { KeyPrefix } from './key.ts';
import { API_VERSION } from '../../core/values/version.ts';
import type { Versions } from '../../platform/http/version/versions.ts';
import { createKeyParams, rollKeyParams, updateKeyParams } from './parameters.ts';
import { renderKey, STATUSES } from './schema.ts';
import { API_KEYS, ofStatus } from './sql.ts';

const route = routesOf('Keys', 'keys');
const approval = routesOf('Keys', 'payout_approvals');

export interface KeyParts {
  make(prefix: KeyPrefix): NewKey;
  readonly versions: Versions;
  /** The answer with the sealed secret in it opened. */
  opened(answer: Answer): Answer;
}

const EXAMPLE = {
  ...exampleOf(API_KEY, {
    name: 'payroll',
    scopes: ['payouts:write', 'recipients:read'],
  }),
  livemode: true,
  status: 'active',
};
const WITH_SECRET = { ...EXAMPLE, secret: 'rk_live_3kTMd…x7Qa' };

const powersOf = ({ scopes, accounts, allowedIps, expiresAt }: Caller): Powers => ({
  scopes: scopes && [...scopes],
  accounts: accounts && [...accounts],
  allowedIps,
  expiresAt,
});

export function keyRoutes(service: Service<KeyCommand>, parts: KeyParts): Route[] {
  const shown = {
    ...API_KEY,
    render: (key: Parameters<typeof renderKey>[0], livemode: boolean) => renderKey(key, livemode, Date.now()),
  };
  const { idIn, list, retrieve } = readsOf(service, shown, API_KEYS);
  const write = async (call: Call<unknown, unknown>, command: KeyCommand) =>
    parts.opened(await service.write(call, command));
  return [
    route('createKey', 'POST /v1/keys', {
      summary: 'Create an API key',
      description:
        'For the same environment. It may do no more than your key: scopes, accounts, addresses and expiry. Parameters that you leave out are those of your key, but for `version`: a new key has the newest. The answer shows the key once.',
      body: createKeyParams,
      request: { name: EXAMPLE.name, scopes: EXAMPLE.scopes },
      response: answers('KeyWithSecret', WITH_SECRET),
      errors: ['key_too_wide', 'key_count', 'expires_at_invalid', 'resource_missing', 'version_unknown'],
      handle: (call) => {
        const { name, scopes, accounts, allowed_ips: allowedIps, expires_at: at, version = API_VERSION } = call.body;
        parts.versions.named(version, 'version');
        const maker = powersOf(call.caller);
        const powers: Powers = {
          scopes: scopes ?? maker.scopes,
          accounts: accounts ?? maker.accounts,
          allowedIps: allowedIps ?? maker.allowedIps,
          expiresAt: at === undefined ? maker.expiresAt : at * 1000,
        };
        const made = parts.make(`${powers.scopes ? 'rk' : 'sk'}_${call.caller.livemode ? 'live' : 'test'}_`);
        return write(call, { type: 'create_key', made, name, version, ...powers, maker });
      },
    }),
    route('listKeys', 'GET /v1/keys', {
      summary: 'List API keys',
      query: listParams('key', { status: oneOf(STATUSES, { description: 'Only keys with this status.' }) }),
      response: answersList('Key', EXAMPLE),
      handle: (call) => {
        const { status, ...common } = call.query;
        return list({ ...call, query: common }, {}, status === undefined ? [] : [ofStatus([status].flat())]);
      },
    }),
    route('retrieveKey', 'GET /v1/keys/:id', {
      summary: 'Retrieve an API key',
      response: answers('Key', EXAMPLE),
      handle: retrieve,
    }),
    route('updateKey', 'POST /v1/keys/:id', {
      summary: 'Update an API key',
      description:
        'Its name, and the version of the API that it is pinned to. Within a second its requests are answered in that version, on every process. A key updates none that may do more than itself.',
      body: updateKeyParams,
      request: { version: API_VERSION },
      response: answers('Key', EXAMPLE),
      errors: ['key_ended', 'key_too_wide', 'version_unknown'],
      handle: (call) => {
        const { name, version } = call.body;
        if (version !== undefined) parts.versions.named(version, 'version');
        return service.write(call, {
          type: 'update_key',
          key: idIn(call),
          name,
          version,
          maker: powersOf(call.caller),
        });
      },
    }),
    route('rollKey', 'POST /v1/keys/:id/roll', {
      summary: 'Replace an API key',
      description:
        'The new key has the same name, scopes, accounts, addresses, version and expiry. The old one works for `expires_in` seconds more. A key is rolled once: roll the new one next. A key rolls itself and keys that descend from it. A key that was revoked, has expired, or may do more than yours cannot be rolled.',
      body: rollKeyParams,
      request: { expires_in: 3600 },
      response: answers('KeyWithSecret', WITH_SECRET),
      errors: ['key_ended', 'key_rolled', 'key_too_wide', 'key_of_others', 'key_count'],
      handle: async (call) => {
        const key = idIn(call);
        const [row] = await service.rows(API_KEYS.load([{ environmentId: call.caller.environmentId, id: key }]));
        if (!row) throw missing('key', key);
        const made = parts.make(row['prefix'] as KeyPrefix);
        const overlapMs = call.body.expires_in * 1000;
        return write(call, { type: 'roll_key', key, made, overlapMs, maker: powersOf(call.caller) });
      },
    }),
    approval('confirmKey', 'POST /v1/keys/:id/confirm', {
      summary: 'Confirm that a key may approve',
      description:
        'A key that another key made approves nothing until a key of another family has confirmed it. It does everything else at once. What it is rolled to stays confirmed.',
      response: answers('Key', { ...EXAMPLE, scopes: ['payout_approvals:write'], confirmed_by: EXAMPLE.id }),
      errors: ['key_ended', 'key_rolled', 'key_not_confirmable', 'approval_by_creator', 'approval_key_unconfirmed'],
      handle: (call) => service.write(call, { type: 'confirm_key', key: idIn(call) }),
    }),
    route('revokeKey', 'POST /v1/keys/:id/revoke', {
      summary: 'Revoke an API key',
      description:
        'It stops working within a second, on every process. A key revokes none that may do more than itself; an administrator revokes all.',
      response: answers('Key', { ...EXAMPLE, status: 'revoked', revoked_at: 1_732_184_003 }),
      errors: ['key_ended', 'key_too_wide'],
      handle: (call) =>
        service.write(call, {
          type: 'revoke_key',
          key: idIn(call),
          maker: isAdministrator(call.caller) ? null : powersOf(call.caller),
        }),
    }),
  ];
}
