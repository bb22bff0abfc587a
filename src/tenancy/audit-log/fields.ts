/** Entries of the audit log, field by field. Nothing of an entry ever changes. */
import { exampleId } from '../../core/values/ids.ts';
import { AUDIT_ACTIONS, type AuditDetails } from '../../core/audit.ts';
import * as field from '../../core/fields.ts';

const details = field.json<AuditDetails>({ type: 'object', description: 'Details, such as the changed members.' });

export const AUDIT_ENTRY = field.objectType('audit_entry', 'aud', {
  sequence: field.bigCount({ description: 'Counts up by one in each environment, from 1.', example: 7 }),
  action: field.oneOf(AUDIT_ACTIONS),
  actor: field.actor(),
  address: field.textOrNull({
    member: 'ip',
    description: 'The client’s address, if a request caused it.',
    example: '192.0.2.7',
  }),
  request: field.idOrNull('req', { column: 'request_id', example: exampleId('req') }),
  subject: field.textOrNull({ description: 'The id of the object that it is about.' }),
  // As text: jsonb does not keep what was hashed to the byte.
  details: { ...details, column: { ...details.column, type: 'text' } },
  previousHash: field.code({
    description: '`hash` of the entry before; 64 zeros in the first.',
    example: '5c2dd944dd…',
  }),
  hash: field.code({
    description:
      'SHA-256, in hex, of the previous hash and everything above: a changed, missing or inserted entry breaks the chain.',
    example: 'b5bb9d8014…',
  }),
});
export type AuditEntry = field.ObjectOf<typeof AUDIT_ENTRY>;

declare module '../../core/decision.ts' {
  interface Replies {
    /** To the service itself, which asks for nothing more than that it is kept. */
    readonly noted: { readonly object: 'noted'; readonly id: string };
  }
}
