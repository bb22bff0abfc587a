/** What an operation of the document is called in the typed client: `POST /v1/payouts/{id}/cancel` is `payouts.cancel`. Pure. Next: `samples.ts`. */
import { OPERATIONS } from '../../client/src/generated/operations.ts';
import type { Operation } from './document.ts';

export interface Call {
  /** `payouts.cancel`, `testHelpers.payouts.pay`. */
  readonly method: string;
  /** How its arguments go and its answer comes: `Kind` of `scripts/client/operations.ts`. */
  readonly kind: string;
}

type Row = readonly [verb: string, path: string, kind: string];
interface Rows {
  readonly [name: string]: Row | Rows;
}

const isRow = (entry: Row | Rows): entry is Row => Array.isArray(entry);

function callsIn(rows: Rows, above = ''): readonly (readonly [operation: string, call: Call])[] {
  return Object.entries(rows).flatMap(([name, entry]) => {
    const method = `${above}${name}`;
    return isRow(entry)
      ? [[`${entry[0]} ${entry[1]}`, { method, kind: entry[2] }] as const]
      : callsIn(entry, `${method}.`);
  });
}

const CALLS = new Map(callsIn(OPERATIONS));

/** Throws where the client does not know it: then it was not made anew from the document. */
export function callOf({ method, path }: Pick<Operation, 'method' | 'path'>): Call {
  const call = CALLS.get(`${method} ${path}`);
  if (call === undefined)
    throw new Error(`The client has no ${method} ${path}. Run: node --import tsx scripts/generate-docs.ts`);
  return call;
}
