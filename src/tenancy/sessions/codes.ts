/**
 * Codes of an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds, one step early or late) and recovery codes, which stand in
 * for one each. A code is taken once: its step is compared with the newest that was used, in the statement that keeps it (`sql.ts`).
 */
import { hash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const PERIOD_S = 30;
const WINDOW_STEPS = 1;
const RECOVERY_CODES = 10;
/** 80 random bits: a stolen hash leads to none. */
const RECOVERY_BYTES = 10;
const GROUP = 4;

/** Six digits, or four groups of a recovery code. Blanks do not count. */
export const CODE_SHAPE = /^(?:\d{3} ?\d{3}|[A-Za-z2-7]{4}(?:[- ]?[A-Za-z2-7]{4}){3})$/;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Bursar', label, secret: Secret.fromBase32(secret), period: PERIOD_S, digits: 6 });

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an authenticator app reads from a QR code. */
export const totpUri = (secret: string, label: string): string => totpOf(secret, label).toString();

/** The step of 30 seconds whose code it is; `null`: of none near now. */
export function stepOf(secret: string, code: string, nowMs: number): number | null {
  const delta = totpOf(secret).validate({ token: code.replaceAll(' ', ''), timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_S) + delta;
}

export const isRecoveryCode = (code: string): boolean => /[^\d ]/.test(code);

export const hashOfRecoveryCode = (code: string): Buffer =>
  hash('sha256', code.replaceAll(/[- ]/g, '').toUpperCase(), 'buffer');

/** Ten new ones; only their hashes are kept. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = new Secret({ buffer: Uint8Array.from(randomBytes(RECOVERY_BYTES)).buffer }).base32;
    return (text.match(new RegExp(`.{${GROUP}}`, 'g')) as string[]).join('-').toLowerCase();
  });
}
