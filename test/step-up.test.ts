/**
 * What a person does in live only with a factor that was shown in the last minutes: every operation that says yes to what others asked for, or
 * says what others may do. A new operation of these kinds has to be put on the list, or off it, by somebody. Over HTTP: `src/tenancy/sessions`.
 */
import { describe, expect, it } from 'vitest';
import { ROUTES } from './support/harness/all-routes.ts';

const STEPPED_UP = `
approveBankAccount approveBankEntry approveLimitDeletion approvePayout approvePayoutBatch approvePayoutRules approvePayouts
closeBankAccount confirmKey confirmUser createBankAccount createFeeRule createKey createLimit createUser
deleteFeeRule deleteLimit endUserSessions linkUser
rejectBankAccount rejectBankEntry rejectLimitDeletion rejectPayout rejectPayoutBatch rejectPayoutRules
resolvePayout resumeExports resumeUser revokeKey rollKey suspendUser
updateBankAccount updateExchangeSettings updateKey updatePayoutRules updateUser
`;

/** Words of operations that decide. Test helpers stand for second persons in a sandbox. */
const DECIDES =
  /^(?:approve|reject|confirm|resolve|resume)|Key$|User$|Users$|Limit$|FeeRule$|PayoutRules$|BankAccount$/;
/** They read, or only move what the person could make anew. */
const NOT = new Set(['resumeStandingOrder', 'searchRecipients']);

const listed = STEPPED_UP.trim().split(/\s+/);
const writes = ROUTES.filter(
  ({ method, looksOnly, sandboxOnly }) => method !== 'GET' && looksOnly !== true && !sandboxOnly,
);

describe('operations that decide about money or rights', () => {
  it('are these', () => {
    const flagged = ROUTES.filter(({ needsStepUp }) => needsStepUp === true).map(({ operationId }) => operationId);
    expect(flagged.toSorted()).toEqual(listed.toSorted());
  });
  it('by their names, too', () => {
    const byName = writes.filter(({ operationId }) => DECIDES.test(operationId) && !NOT.has(operationId));
    expect(byName.length).toBeGreaterThan(25);
    const missing = byName.filter(({ needsStepUp }) => needsStepUp !== true).map(({ operationId }) => operationId);
    expect(missing).toEqual([]);
  });
  it('control: to look is free', () => {
    const looking = ROUTES.filter(({ method, needsStepUp }) => method === 'GET' && needsStepUp === true);
    expect(looking).toEqual([]);
  });
});
