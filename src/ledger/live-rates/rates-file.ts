/**
 * The file of live rates, read again when it changes. A wrong file gives no rates, never those it has replaced. Replace
 * it by renaming, so that no half of a file is seen. What may be in it: `rates-document.ts`.
 */
import { readFileSync, statSync } from 'node:fs';
import type { FiledRates } from '../exchanges/filed-rates.ts';
import type { NoRate } from '../exchanges/rates.ts';
import { type DocumentSettings, parseRates } from './rates-document.ts';

/** How long a change of the file may go unseen: one look a second costs nothing beside a request. */
const LOOK_EVERY_MS = 1000;
const UNUSABLE: NoRate = { unavailable: 'the file of live rates is missing or cannot be used' };

/** Reads the file, at most once a second. `onFault`: once for each unusable state, with path and reason; clients hear neither. */
export function ratesFile(
  path: string,
  settings: DocumentSettings,
  onFault: (message: string) => void,
): (nowMs: number) => FiledRates | NoRate {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let version = '';
  let now: FiledRates | NoRate = UNUSABLE;
  return (nowMs) => {
    if (Math.abs(nowMs - lookedAtMs) < LOOK_EVERY_MS) return now;
    lookedAtMs = nowMs;
    const before = version;
    version = versionOf(path);
    if (version === before) return now;
    now = UNUSABLE;
    try {
      now = parseRates(readFileSync(path, 'utf8'), settings);
    } catch (error) {
      onFault(`The rates file ${path} cannot be used, so there are no live rates. ${(error as Error).message}`);
    }
    return now;
  };
}

/** A text that changes when the file does. */
function versionOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}
