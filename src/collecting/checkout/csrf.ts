/**
 * Proof that this service made a form for this page: an HMAC over the page's token and the day, in a hidden field. No cookie
 * is needed: the token in the address bounds what the form may do, and other sites cannot read the page.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../../core/values/time.ts';
import type { ServerSecrets } from '../../platform/vault/vault.ts';

export interface Csrf {
  tokenFor(pageToken: string, nowMs: number): string;
  /** Accepts a token on the day of its making and the day after, UTC. */
  accepts(given: string | undefined, pageToken: string, nowMs: number): boolean;
}

/** Forms that were made under a previous server secret are accepted until their time is up. */
export function csrf({ current, previous }: ServerSecrets): Csrf {
  const keys = [current, ...previous].map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'bursar payment page forms v1', 32)),
  );
  const tokenOn = (key: Buffer, day: number, pageToken: string) =>
    createHmac('sha256', key).update(`${pageToken}.${day}`).digest('base64url');
  const dayOf = (nowMs: number) => Math.floor(nowMs / DAY_MS);
  return {
    tokenFor: (pageToken, nowMs) => tokenOn(keys[0] as Buffer, dayOf(nowMs), pageToken),
    accepts(given, pageToken, nowMs) {
      if (given === undefined) return false;
      const bytes = Buffer.from(given);
      const days = [dayOf(nowMs), dayOf(nowMs) - 1];
      return keys.some((key) =>
        days.some((day) => {
          const right = Buffer.from(tokenOn(key, day, pageToken));
          return right.length === bytes.length && timingSafeEqual(right, bytes);
        }),
      );
    },
  };
}
