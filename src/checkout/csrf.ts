/**
 * Proof that a form was served by us for this very page: an HMAC over its token and the day, in a hidden field. No
 * cookie: what the form may do is bound to the token in its address, and other sites cannot read the page.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../core/time.ts';

export interface Csrf {
  tokenFor(pageToken: string, nowMs: number): string;
  /** Taken on the day it was made for and the day after. */
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
