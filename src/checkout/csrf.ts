/**
 * Proof that this service made a form for this page: an HMAC over the page's token and the day, in a hidden field. No cookie
 * is needed: the token in the address bounds what the form may do, and other sites cannot read the page.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../core/time.ts';

export interface Csrf {
  tokenFor(pageToken: string, nowMs: number): string;
  /** Accepts a token on the day of its making and the day after, UTC. */
  accepts(given: string | undefined, pageToken: string, nowMs: number): boolean;
}

export function csrf(serverSecret: string): Csrf {
  const key = Buffer.from(hkdfSync('sha256', serverSecret, '', 'bursar payment page forms v1', 32));
  const tokenOn = (day: number, pageToken: string) =>
    createHmac('sha256', key).update(`${pageToken}.${day}`).digest('base64url');
  const dayOf = (nowMs: number) => Math.floor(nowMs / DAY_MS);
  return {
    tokenFor: (pageToken, nowMs) => tokenOn(dayOf(nowMs), pageToken),
    accepts(given, pageToken, nowMs) {
      if (given === undefined) return false;
      const bytes = Buffer.from(given);
      return [dayOf(nowMs), dayOf(nowMs) - 1].some((day) => {
        const right = Buffer.from(tokenOn(day, pageToken));
        return right.length === bytes.length && timingSafeEqual(right, bytes);
      });
    },
  };
}
