/** The reset of a sandbox as a request: under its idempotency key, as the owner of the tables. What it erases: `tenancy/sandbox/reset.ts`. */
import { actorOf } from '../core/actor.ts';
import { auditHeadOf, loadAuditHeads } from '../tenancy/audit-log/sql.ts';
import { RequestError } from '../core/values/errors.ts';
import { idSource } from '../core/values/ids.ts';
import type { Origin } from '../core/state.ts';
import type { Log } from '../platform/db/embedded/embedded.ts';
import { asOwner } from '../platform/db/owner.ts';
import { DatabaseUnfit } from '../platform/db/pool.ts';
import { isConnectionLost } from '../platform/db/wire/connection-lost.ts';
import type { Row } from '../platform/db/wire/statement.ts';
import type { Answer } from '../platform/http/route.ts';
import { ResetBefore, resetSandbox, type ResetRecord } from '../tenancy/sandbox/reset.ts';
import type { Sandbox } from '../tenancy/sandbox/routes.ts';
import { auditStatements } from '../write/audit.ts';
import type { Fingerprinter } from '../write/fingerprint.ts';
import { answerAgain } from '../write/idempotency.ts';
import { originOf } from '../write/origin.ts';

export interface ResetOptions {
  readonly ownerUrl: string;
  readonly log: Log;
  readonly print: Fingerprinter;
  /** Called after a reset. */
  onReset(environmentId: string): void;
  /** Puts in what the first start does; may be repeated. Rejects with a `RequestError` if the database fails. */
  fill(environmentId: string, origin: Origin): Promise<void>;
}

/** SQLSTATEs of others being in the way: a lock time-out, a deadlock, a cancelled statement. */
const BUSY = new Set(['55P03', '40P01', '57014']);

export function sandboxReset({ ownerUrl, print, log, onReset, fill }: ResetOptions): Sandbox {
  const once = (
    environmentId: string,
    to: { readonly offsetMs: number; readonly record: ResetRecord | null },
    origin: Origin,
  ): Promise<Row | null> =>
    asOwner(ownerUrl, log, (run) =>
      resetSandbox(run, environmentId, to, async (lastSequence) => {
        const { rows } = await run(loadAuditHeads([environmentId]));
        // `verify` expects the next event behind this one, in sequence and by the clock of the sandbox.
        const details = { last_sequence: Number(lastSequence), offset_seconds: to.offsetMs / 1000 };
        const about = { action: 'sandbox.reset', subject: null, details } as const;
        const createdAt = Date.now() + to.offsetMs;
        const entry = { id: idSource(createdAt).next('aud'), ...about, createdAt };
        const additions = rows.map((row) => ({ environmentId, head: auditHeadOf(row), audits: [{ entry, origin }] }));
        for (const statement of auditStatements(additions)) await run(statement);
      }),
    );
  return {
    async reset(call, body, { seed, offsetMs }): Promise<Answer> {
      const { caller, requestId, idempotencyKey: key, method, path, body: given, address, baseUrl } = call;
      const { environmentId } = caller;
      const prints = print(method, path, (given ?? {}) as Readonly<Record<string, unknown>>);
      const origin = originOf(caller, { requestId, idempotencyKey: key, address: address() });
      const record = key === null ? null : { key, fingerprint: prints.fingerprint, body, maker: origin.actor };
      const to = { offsetMs, record };
      const before = await once(environmentId, to, origin)
        .catch((error: unknown) => {
          if (!(error instanceof ResetBefore)) throw error;
          return once(environmentId, to, origin); // finds the record of the other
        })
        .catch(inWords);
      if (before === null) {
        onReset(environmentId);
        if (seed) await fill(environmentId, origin);
        return { status: 200, body };
      }
      const {
        body: answered,
        maker,
        ...about
      } = before as {
        readonly fingerprint: string;
        readonly status: number;
        readonly body: string | null;
        readonly maker: string | null;
      };
      const recorded = {
        ...about,
        body: answered ?? '{}',
        eventSequence: null,
        resourceId: null,
        maker: actorOf(maker),
        request: null,
      };
      const reader = { ...caller, ...origin, baseUrl: baseUrl() };
      const { replayed, ...again } = answerAgain(
        recorded,
        prints.fingerprintLike(recorded.fingerprint),
        requestId,
        reader,
      );
      if (!replayed) return again;
      if (seed) await fill(environmentId, origin); // the process may have ended between the reset and this
      return { ...again, headers: { 'Idempotent-Replayed': 'true' } };
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
