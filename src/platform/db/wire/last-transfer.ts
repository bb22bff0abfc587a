/** SQL for the balance of an account at an instant: that after its last transfer. Indexes transfers_debit and transfers_credit, one row each. */

const side = (party: 'debit' | 'credit', before: string) => `(SELECT t.id, t.${party}_balance_after AS balance
    FROM transfers t
    WHERE t.${party}_account = a.id AND t.environment_id = a.environment_id AND t.${party}_balance_after IS NOT NULL
      AND t.id < ${before} ORDER BY t.${party}_account DESC, t.id DESC LIMIT 1)`;

/** The last transfer of the account `a` whose id is below the parameter `before`, as `id` and `balance`; no row without one. */
export const lastTransfer = (before: string): string =>
  `(SELECT s.id, s.balance FROM (${side('debit', before)} UNION ALL ${side('credit', before)}) AS s ORDER BY s.id DESC LIMIT 1)`;
