/** The name by which payers and readers of statements know a company. */

/** The merchant of a first start, until the operator names others. An internal name: nobody outside reads it. */
export const FIRST_MERCHANT = 'default';

/**
 * That name in SQL: of the settings; else of the merchant, unless that is {@link FIRST_MERCHANT}; else the holder of the
 * company's oldest bank account. Takes the aliases of `settings` (may be missing), `merchants` and `environments`.
 */
export const companyName = (settings: string, merchant: string, environment: string): string =>
  `coalesce(${settings}.name, nullif(${merchant}.name, '${FIRST_MERCHANT}'),
        (SELECT b.holder FROM bank_accounts b WHERE b.environment_id = ${environment}.environment_id ORDER BY b.environment_id, b.id LIMIT 1),
        CASE WHEN ${environment}.livemode THEN 'Payee' ELSE 'Example company' END)`;
