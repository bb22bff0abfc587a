/** The reset of a sandbox as a request: under its idempotency key, as the owner of the tables. What it erases: `sandbox/reset.ts`. */
import { RequestError } from '../core/errors.ts';
import type { Log } from '../db/embedded/embedded.ts';
import { asOwner } from '../db/owner.ts';
import { DatabaseUnfit } from '../db/pool.ts';
import { isConnectionLost } from '../db/wire/connection-lost.ts';
import type { Row } from '../db/wire/statement.ts';
import type { Answer } from '../http/route.ts';
import { ResetBefore, resetSandbox, type ResetRecord } from '../sandbox/reset.ts';
import type { Sandbox } from '../sandbox/routes.ts';
import { answerAgain, fingerprint } from '../write/idempotency.ts';

export interface ResetOptions {
  readonly ownerUrl: string;
  readonly log: Log;
  /** Called after a reset. */
  onReset(environmentId: string): void;
}

/** SQLSTATEs of others being in the way: a lock time-out, a deadlock, a cancelled statement. */
const BUSY = new Set(['55P03', '40P01', '57014']);

export function sandboxReset({ ownerUrl, log, onReset }: ResetOptions): Sandbox {
  const once = (environmentId: string, record: ResetRecord | null): Promise<Row | null> =>
    asOwner(ownerUrl, log, (run) => resetSandbox(run, environmentId, record));
  return {
    async reset({ caller, requestId, idempotencyKey: key, method, path, body: given }, body): Promise<Answer> {
      const { environmentId } = caller;
      const print = fingerprint(method, path, (given ?? {}) as Readonly<Record<string, unknown>>);
      const record = key === null ? null : { key, fingerprint: print, body };
      const before = await once(environmentId, record)
        .catch((error: unknown) => {
          if (!(error instanceof ResetBefore)) throw error;
          return once(environmentId, record); // finds the record of the other
        })
        .catch(inWords);
      if (before === null) {
        onReset(environmentId);
        return { status: 200, body };
      }
      const {
        fingerprint: known,
        status,
        body: answered,
      } = before as { fingerprint: string; status: number; body: string | null };
      const recorded = { fingerprint: known, status, body: answered ?? '{}', resourceId: null };
      const { replayed, ...again } = answerAgain(recorded, print, requestId);
      return replayed ? { ...again, headers: { 'Idempotent-Replayed': 'true' } } : again;
    },
  };
}

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';

function inWords(error: unknown): never {
  if (BUSY.has(codeOf(error)))
    throw new RequestError('overloaded', 'Other requests are writing to the sandbox. Nothing was erased. Try again.');
  if (isConnectionLost(error) || error instanceof DatabaseUnfit)
    throw new RequestError('database_unavailable', 'The database cannot be reached. Try again.');
  throw error;
}
