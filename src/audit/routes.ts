/** The audit log: one list, newest first. */
import { AUDIT_ACTIONS } from '../core/audit.ts';
import { listParams } from '../http/lists.ts';
import { exampleOf, schemaOf } from '../http/object-schema.ts';
import { type JsonSchema, oneOf, optional, text } from '../http/request/params.ts';
import { always, answersList, type Route, routesOf } from '../http/route.ts';
import { readsOf, type Service } from '../http/service.ts';
import { AUDIT_ENTRY } from './fields.ts';
import { AUDIT_LOG } from './sql.ts';

const route = routesOf('Audit log', 'audit_log');

const EXAMPLE = exampleOf(AUDIT_ENTRY, {
  sequence: 7,
  action: 'key.created',
  actor: 'key_01jd3v9q4ne8v8k3w2m6r5t7xa',
  address: '192.0.2.7',
  request: 'req_01jd3v9q4ne8v8k3w2m6r5t7xa',
  subject: 'key_01jd3v9q4ne8v8k3w2m6r5t7xb',
  details: { name: 'payroll', scopes: ['payouts:write'], accounts: null, allowed_addresses: null, expires_at: null },
  previous_hash: '5c2dd944dd…',
  hash: 'b5bb9d8014…',
});

export function auditRoutes(service: Service): Route[] {
  const { list } = readsOf(service, AUDIT_ENTRY, AUDIT_LOG);
  return [
    route('listAuditLog', 'GET /v1/audit_log', {
      summary: 'List the audit log',
      description:
        'Who changed keys, settings and webhook endpoints, and which keys were refused. Entries are only ever added, and each holds the hash of the one before; `bursar audit verify` checks them.',
      isRepeatable: always,
      query: listParams('aud', {
        action: optional(oneOf(AUDIT_ACTIONS, { description: 'Only this action.' })),
        subject: optional(text({ kind: 'code', max: 40, description: 'Only entries about the object with this id.' })),
      }),
      response: answersList('AuditEntry', EXAMPLE),
      handle: (call) => list(call),
    }),
  ];
}

export const AUDIT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  AuditEntry: schemaOf(AUDIT_ENTRY, 'An entry of the audit log.'),
};
