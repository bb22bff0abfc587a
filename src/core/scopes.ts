/** Scopes such as `payouts:read`. */
import { withoutPayees } from './rails/payroll.ts';
import { RequestError } from './values/errors.ts';

/** It shows whom salaries, bonuses and pensions pay, and for what. There is nothing to write by it. */
export const PAYROLL_READ = 'payroll:read';
export const seesPayroll = (scopes: ReadonlySet<string> | null): boolean => scopes === null || scopes.has(PAYROLL_READ);

/** An answer or a part of one, as a key with these scopes sees it. */
export const shownTo = (scopes: ReadonlySet<string> | null, json: string): string =>
  seesPayroll(scopes) ? json : withoutPayees(json);

/** Whether scopes such as `payouts:read` open an operation. To write a resource is to read it too (contract, section 7). */
export function covers(scopes: { has(scope: string): boolean }, scope: string): boolean {
  return scopes.has(scope) || (scope.endsWith(':read') && scopes.has(scope.replace(/read$/, 'write')));
}

/** Throws `scope_missing` where a key lacks what a part of an operation needs. `what` in words: `a payout from another currency`. */
export function demand(scopes: ReadonlySet<string> | null, scope: string, what: string): void {
  if (scopes === null || covers(scopes, scope)) return;
  const message = `This restricted key lacks the scope ${scope}, which ${what} needs. Use a key that has it.`;
  throw new RequestError('scope_missing', message, { allowed: [...scopes] });
}
