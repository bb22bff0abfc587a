/** The body of every refusal, as exact JSON text. Source: contract, section 5. */
import { type Code, ERRORS, type ErrorDetails } from './errors.ts';

/** Where the meaning of a code is written down; relative to the service's own address. */
export const docUrl = (code: Code) => `/docs/errors#${code}`;

/** `{"error":{type, code, message, param?, …, doc_url, request_id}}`. bigint details become JSON integers. */
export function errorBody(code: Code, message: string, details: ErrorDetails, requestId: string | null): string {
  const { available_minor: availableMinor, ...plain } = details;
  const error = {
    type: ERRORS[code].type,
    code,
    message,
    ...plain,
    ...(availableMinor !== undefined && { available_minor: Number(availableMinor) }), // balances are exact (contract, 2)
    doc_url: docUrl(code),
    request_id: requestId,
  };
  return JSON.stringify({ error });
}
