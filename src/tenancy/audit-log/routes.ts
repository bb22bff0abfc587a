/** The audit log: one list, in order of its sequence, newest first. */
import { actorId, isActorId, SERVICE_ACTORS } from '../../core/actor.ts';
import { equal } from '../../platform/db/wire/page.ts';
import { hint } from '../../platform/http/request/hints.ts';
import { choice, given, param as custom, paramError } from '../../platform/http/request/param.ts';
import { AUDIT_ACTIONS } from '../../core/audit.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf, schemaOf } from '../../platform/http/object-schema.ts';
import { type JsonSchema, oneOf, text } from '../../platform/http/request/params.ts';
import { always, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import { lineMates, readsOf, type Service } from '../../platform/http/service.ts';
import { AUDIT_ENTRY } from './fields.ts';
import { AUDIT_LOG } from './sql.ts';

const route = routesOf('Audit log', 'audit_log');

const EXAMPLE = exampleOf(AUDIT_ENTRY, {
  subject: 'key_01jd3v9q4ne8v8k3w2m6r5t7xb',
  details: { name: 'payroll', scopes: ['payouts:write'], accounts: null, allowed_ips: null, expires_at: null },
});

/** Parsed to an id, as columns of ids take it. */
const actor = custom(
  {
    description:
      'Only entries of this actor: a key by its id, with what it was rolled from and to, a user by its id, or `worker`, `visitor`, `acquirer`, `cli`.',
  },
  { type: 'string' },
  (value, path) => {
    const known = SERVICE_ACTORS.find((word) => word === value);
    if (known !== undefined) return actorId(known) as string;
    if (typeof value === 'string' && isActorId(value)) return value;
    const message = `${path} must be the id of a key or a user, or one of ${SERVICE_ACTORS.join(', ')}, got ${given(value)}.${hint(value, SERVICE_ACTORS)}`;
    throw paramError('parameter_invalid', path, message, { allowed: SERVICE_ACTORS });
  },
);

export function auditRoutes(service: Service): Route[] {
  const { list } = readsOf(service, AUDIT_ENTRY, AUDIT_LOG, { isNumbered: true });
  return [
    route('listAuditLog', 'GET /v1/audit_log', {
      summary: 'List the audit log',
      description:
        'Who changed keys, settings and webhook endpoints, and which keys were refused. In order of `sequence`, whatever a clock did. Entries are never changed, and each has the hash of the entry before; `bursar audit verify` checks them.',
      isRepeatable: always,
      query: listParams('aud', {
        action: oneOf(AUDIT_ACTIONS, { description: 'Only this action.' }),
        actor: choice(actor),
        subject: text({ kind: 'code', max: 40, description: 'Only entries about the object with this id.' }),
      }),
      response: answersList('AuditEntry', EXAMPLE),
      handle: async (call) => {
        const { actor: actors, ...others } = call.query;
        const inLine = await lineMates(service, call.caller, actors);
        return list({ ...call, query: { ...others, actor: undefined } }, {}, equal({ 't.actor': inLine }));
      },
    }),
  ];
}

export const AUDIT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  AuditEntry: schemaOf(AUDIT_ENTRY, 'An entry of the audit log.'),
};
