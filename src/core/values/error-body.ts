/** The body of every refusal, as exact JSON text: the same from the parser and from a decision. Contract, section 5. */
import { ERRORS, type Refusal, type RequestError } from './errors.ts';

/** Where the errors page is served; `doc_url` leads there. */
export const ERRORS_PAGE = '/docs/errors';

/**
 * The body of a refusal, a thrown `RequestError` included: `{"error":{type,code,message,param?,…,doc_url,request_id}}`.
 * Minor units stay integers. `baseUrl`: where clients find the service, without a trailing slash; '' makes `doc_url` a path.
 */
export function errorBody(fault: Refusal | RequestError, requestId: string | null, baseUrl = ''): string {
  const { param, ...details } = fault.details;
  return JSON.stringify(
    {
      error: {
        type: ERRORS[fault.code].type,
        code: fault.code,
        message: fault.message,
        param,
        ...details,
        doc_url: `${baseUrl}${ERRORS_PAGE}#${fault.code}`,
        request_id: requestId,
      },
    },
    exactInteger,
  );
}

// Minor units are at most 2^53 - 1, so a number is exact; anything else must not be answered at all.
function exactInteger(_name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`${value} is no exact JSON integer`);
  return number;
}
