/** Notes refused keys in the audit log: at most one entry a key and reason in a minute, so that nobody can fill the log. */
import type { RefusedKey } from '../../platform/http/admit.ts';
import type { NoteRefusedKey } from './decide.ts';

const EVERY_MS = 60_000;
/** With so many, all are forgotten. */
const MAX_NOTED = 10_000;

/** `note` sends the command down the write path. What it rejects with is the concern of `onFault`. */
export function refusedKeys(
  note: (key: RefusedKey, command: NoteRefusedKey, from: { address: string; requestId: string }) => Promise<unknown>,
  onFault: (message: string, error: unknown) => void,
): (key: RefusedKey, from: { readonly address: string; readonly requestId: string }) => void {
  const notedAt = new Map<string, number>();
  return (key, from) => {
    const nowMs = performance.now();
    const name = `${key.keyId} ${key.reason}`;
    if (nowMs - (notedAt.get(name) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
    if (notedAt.size >= MAX_NOTED) notedAt.clear();
    notedAt.set(name, nowMs);
    const command = { type: 'note_refused_key', key: key.keyId, reason: key.reason } as const;
    note(key, command, from).catch((error: unknown) => onFault('A refused key could not be noted', error));
  };
}
