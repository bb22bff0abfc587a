/** Answers about payees: which recipient each one is. Parameters: `match-parameters.ts`. */
import { strictObject } from '../../core/values/json-schema.ts';
import { type JsonSchema, ref } from '../../platform/http/request/params.ts';
import { RECIPIENT } from './fields.ts';
import type { Match } from './match-decide.ts';
import type { SoughtPayee } from './match-parameters.ts';
import { FAULT } from './schema.ts';

const STATUSES = ['found', 'found_with_another_name', 'new', 'ambiguous', 'invalid'] as const;

/** `match`: `null` for a payee with faults. */
export function renderMatch({ faults, payee }: SoughtPayee, match: Match | null, livemode: boolean): string {
  const recipient = match !== null && 'recipient' in match ? RECIPIENT.render(match.recipient, livemode) : 'null';
  const candidates = match?.status === 'ambiguous' ? match.candidates : [];
  const [status, name] = [match?.status ?? 'invalid', payee?.name ?? null].map((each) => JSON.stringify(each));
  const listed = candidates.map((each) => RECIPIENT.render(each, livemode)).join(',');
  return `{"object":"recipient_match","status":${status},"name":${name},"recipient":${recipient},"candidates":[${listed}],"errors":${JSON.stringify(faults)}}`;
}

/** In the order of the payees. */
export const renderMatches = (matches: readonly string[]): string =>
  `{"object":"recipient_match_batch","results":[${matches.join(',')}]}`;

export const MATCH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  RecipientMatch: strictObject('Which recipient a payee is.', {
    object: { const: 'recipient_match' },
    status: {
      type: 'string',
      enum: STATUSES,
      description:
        '`found`: one recipient has the account and the name. `found_with_another_name`: one has the account, and none has the name. `new`: no recipient paid in the currency has the account. `ambiguous`: `candidates` has those among which nothing decides. `invalid`: `errors` has the faults.',
    },
    name: { type: ['string', 'null'], description: 'The name that was sent; `null` where it is `invalid`.' },
    recipient: {
      oneOf: [ref('Recipient'), { type: 'null' }],
      description: 'The recipient with the account, under its own name.',
    },
    candidates: { type: 'array', items: ref('Recipient'), description: 'At most ten.' },
    errors: { type: 'array', description: 'The faults of an `invalid` payee.', items: FAULT },
  }),
  RecipientMatchBatch: strictObject('Which recipients payees are.', {
    object: { const: 'recipient_match_batch' },
    results: { type: 'array', description: 'One for each payee, in the order sent.', items: ref('RecipientMatch') },
  }),
};
