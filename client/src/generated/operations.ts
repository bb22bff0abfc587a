// Made by scripts/generate-docs.ts from docs/openapi.json. Change what it is made from, not this file.
/** Every operation: method, path, and how its arguments go and its answer comes. */
export const OPERATIONS = {
  accounts: {
    create: ['POST', '/v1/accounts', 'body'],
    list: ['GET', '/v1/accounts', 'list'],
    retrieve: ['GET', '/v1/accounts/{id}', 'plain'],
    update: ['POST', '/v1/accounts/{id}', 'body'],
    close: ['POST', '/v1/accounts/{id}/close', 'plain'],
    listTransfers: ['GET', '/v1/accounts/{id}/transfers', 'list'],
    retrieveStatement: ['GET', '/v1/accounts/{id}/statement', 'plain'],
    retrieveDepositInstructions: ['GET', '/v1/accounts/{id}/deposit_instructions', 'plain'],
  },
  balances: {
    retrieve: ['GET', '/v1/balances', 'plain'],
  },
  transfers: {
    create: ['POST', '/v1/transfers', 'body'],
    list: ['GET', '/v1/transfers', 'list'],
    retrieve: ['GET', '/v1/transfers/{id}', 'plain'],
  },
  accountStatements: {
    retrieve: ['GET', '/v1/account_statements', 'plain'],
  },
  dailyStatements: {
    list: ['GET', '/v1/daily_statements', 'list'],
    retrieve: ['GET', '/v1/daily_statements/{id}', 'plain'],
    retrieveContent: ['GET', '/v1/daily_statements/{id}/content', 'plain'],
  },
  recipients: {
    create: ['POST', '/v1/recipients', 'body'],
    list: ['GET', '/v1/recipients', 'list'],
    search: ['POST', '/v1/recipients/search', 'body'],
    retrieveRequirements: ['GET', '/v1/recipients/requirements', 'plain'],
    validate: ['POST', '/v1/recipients/validate', 'body'],
    match: ['POST', '/v1/recipients/match', 'body'],
    matchBatch: ['POST', '/v1/recipients/match/batch', 'body'],
    batch: ['POST', '/v1/recipients/batch', 'body'],
    retrieve: ['GET', '/v1/recipients/{id}', 'plain'],
    update: ['POST', '/v1/recipients/{id}', 'body'],
    delete: ['DELETE', '/v1/recipients/{id}', 'plain'],
    listVersions: ['GET', '/v1/recipients/{id}/versions', 'whole'],
    redact: ['POST', '/v1/recipients/{id}/redact', 'plain'],
  },
  exchanges: {
    quote: ['POST', '/v1/exchanges/quote', 'body'],
    create: ['POST', '/v1/exchanges', 'body'],
    list: ['GET', '/v1/exchanges', 'list'],
    retrieve: ['GET', '/v1/exchanges/{id}', 'plain'],
    update: ['POST', '/v1/exchanges/{id}', 'body'],
  },
  exchangeQuotes: {
    retrieve: ['GET', '/v1/exchange_quotes/{id}', 'plain'],
  },
  rates: {
    list: ['GET', '/v1/rates', 'whole'],
  },
  exchangeSettings: {
    retrieve: ['GET', '/v1/settings/exchanges', 'plain'],
    update: ['POST', '/v1/settings/exchanges', 'body'],
  },
  exchangePositions: {
    retrieve: ['GET', '/v1/exchange_positions', 'plain'],
  },
  payoutBatches: {
    create: ['POST', '/v1/payouts/batch', 'body'],
    list: ['GET', '/v1/payout_batches', 'list'],
    retrieveResults: ['GET', '/v1/payout_batches/{id}/results', 'download'],
    cancel: ['POST', '/v1/payout_batches/{id}/cancel', 'plain'],
    retrieve: ['GET', '/v1/payout_batches/{id}', 'plain'],
    approve: ['POST', '/v1/payout_batches/{id}/approve', 'body'],
    retrieveRelease: ['GET', '/v1/payout_batches/{id}/release', 'plain'],
    reject: ['POST', '/v1/payout_batches/{id}/reject', 'body'],
  },
  payouts: {
    create: ['POST', '/v1/payouts', 'body'],
    list: ['GET', '/v1/payouts', 'list'],
    retrieve: ['GET', '/v1/payouts/{id}', 'plain'],
    update: ['POST', '/v1/payouts/{id}', 'body'],
    cancel: ['POST', '/v1/payouts/{id}/cancel', 'plain'],
    retrieveHistory: ['GET', '/v1/payouts/{id}/history', 'plain'],
    approve: ['POST', '/v1/payouts/{id}/approve', 'body'],
    approveMany: ['POST', '/v1/payouts/approve', 'body'],
    reject: ['POST', '/v1/payouts/{id}/reject', 'body'],
    resolve: ['POST', '/v1/payouts/{id}/resolve', 'body'],
  },
  payoutRules: {
    retrieve: ['GET', '/v1/settings/payouts', 'plain'],
    update: ['POST', '/v1/settings/payouts', 'body'],
    approve: ['POST', '/v1/settings/payouts/approve', 'body'],
    reject: ['POST', '/v1/settings/payouts/reject', 'plain'],
  },
  limits: {
    create: ['POST', '/v1/limits', 'body'],
    list: ['GET', '/v1/limits', 'whole'],
    retrieve: ['GET', '/v1/limits/{id}', 'plain'],
    delete: ['DELETE', '/v1/limits/{id}', 'plain'],
    approve: ['POST', '/v1/limits/{id}/approve', 'body'],
    reject: ['POST', '/v1/limits/{id}/reject', 'plain'],
  },
  standingOrders: {
    create: ['POST', '/v1/standing_orders', 'body'],
    list: ['GET', '/v1/standing_orders', 'list'],
    retrieve: ['GET', '/v1/standing_orders/{id}', 'plain'],
    update: ['POST', '/v1/standing_orders/{id}', 'body'],
    pause: ['POST', '/v1/standing_orders/{id}/pause', 'plain'],
    resume: ['POST', '/v1/standing_orders/{id}/resume', 'plain'],
    cancel: ['POST', '/v1/standing_orders/{id}/cancel', 'plain'],
  },
  standingOrderRuns: {
    list: ['GET', '/v1/standing_order_runs', 'list'],
    retrieve: ['GET', '/v1/standing_order_runs/{id}', 'plain'],
  },
  feeRules: {
    create: ['POST', '/v1/fee_rules', 'body'],
    list: ['GET', '/v1/fee_rules', 'whole'],
    retrieve: ['GET', '/v1/fee_rules/{id}', 'plain'],
    delete: ['DELETE', '/v1/fee_rules/{id}', 'plain'],
  },
  bankAccounts: {
    create: ['POST', '/v1/bank_accounts', 'body'],
    list: ['GET', '/v1/bank_accounts', 'list'],
    retrieve: ['GET', '/v1/bank_accounts/{id}', 'plain'],
    update: ['POST', '/v1/bank_accounts/{id}', 'body'],
    close: ['POST', '/v1/bank_accounts/{id}/close', 'plain'],
    resumeExports: ['POST', '/v1/bank_accounts/{id}/resume_exports', 'body'],
    approve: ['POST', '/v1/bank_accounts/{id}/approve', 'body'],
    reject: ['POST', '/v1/bank_accounts/{id}/reject', 'plain'],
    retrieveReconciliation: ['GET', '/v1/bank_accounts/{id}/reconciliation', 'plain'],
    signReconciliation: ['POST', '/v1/bank_accounts/{id}/reconciliation/sign', 'body'],
  },
  paymentFiles: {
    create: ['POST', '/v1/payment_files', 'body'],
    list: ['GET', '/v1/payment_files', 'list'],
    retrieve: ['GET', '/v1/payment_files/{id}', 'plain'],
    download: ['GET', '/v1/payment_files/{id}/content', 'download'],
    abandon: ['POST', '/v1/payment_files/{id}/abandon', 'body'],
  },
  bankRules: {
    create: ['POST', '/v1/bank_rules', 'body'],
    list: ['GET', '/v1/bank_rules', 'whole'],
    retrieve: ['GET', '/v1/bank_rules/{id}', 'plain'],
    delete: ['DELETE', '/v1/bank_rules/{id}', 'plain'],
  },
  bankStatements: {
    listWaitingEntries: ['GET', '/v1/bank_statements/{id}/waiting_entries', 'plain'],
    review: ['POST', '/v1/bank_statements/{id}/review', 'body'],
    list: ['GET', '/v1/bank_statements', 'list'],
    retrieve: ['GET', '/v1/bank_statements/{id}', 'plain'],
  },
  statementFiles: {
    import: ['POST', '/v1/statement_files', 'upload'],
    list: ['GET', '/v1/statement_files', 'list'],
    retrieve: ['GET', '/v1/statement_files/{id}', 'plain'],
  },
  bankEntries: {
    list: ['GET', '/v1/bank_entries', 'list'],
    retrieve: ['GET', '/v1/bank_entries/{id}', 'plain'],
    assign: ['POST', '/v1/bank_entries/{id}/assign', 'body'],
    unassign: ['POST', '/v1/bank_entries/{id}/unassign', 'body'],
    assignBatch: ['POST', '/v1/bank_entries/assign/batch', 'body'],
    return: ['POST', '/v1/bank_entries/{id}/return', 'body'],
    void: ['POST', '/v1/bank_entries/{id}/void', 'body'],
    unvoid: ['POST', '/v1/bank_entries/{id}/unvoid', 'body'],
    approve: ['POST', '/v1/bank_entries/{id}/approve', 'body'],
    reject: ['POST', '/v1/bank_entries/{id}/reject', 'plain'],
  },
  paymentLinks: {
    create: ['POST', '/v1/payment_links', 'body'],
    list: ['GET', '/v1/payment_links', 'list'],
    retrieve: ['GET', '/v1/payment_links/{id}', 'plain'],
    update: ['POST', '/v1/payment_links/{id}', 'body'],
    deactivate: ['POST', '/v1/payment_links/{id}/deactivate', 'plain'],
  },
  payments: {
    list: ['GET', '/v1/payments', 'list'],
    retrieve: ['GET', '/v1/payments/{id}', 'plain'],
    update: ['POST', '/v1/payments/{id}', 'body'],
    refund: ['POST', '/v1/payments/{id}/refund', 'body'],
  },
  expectedPayments: {
    create: ['POST', '/v1/expected_payments', 'body'],
    list: ['GET', '/v1/expected_payments', 'list'],
    retrieve: ['GET', '/v1/expected_payments/{id}', 'plain'],
    cancel: ['POST', '/v1/expected_payments/{id}/cancel', 'plain'],
    code: ['GET', '/v1/expected_payments/{id}/code', 'download'],
  },
  settings: {
    retrieve: ['GET', '/v1/settings', 'plain'],
    update: ['POST', '/v1/settings', 'body'],
  },
  events: {
    list: ['GET', '/v1/events', 'list'],
    retrieve: ['GET', '/v1/events/{id}', 'plain'],
    stream: ['GET', '/v1/events/stream', 'stream'],
    listDeliveries: ['GET', '/v1/events/{id}/deliveries', 'whole'],
    resend: ['POST', '/v1/events/{id}/resend', 'body'],
  },
  webhookEndpoints: {
    create: ['POST', '/v1/webhook_endpoints', 'body'],
    list: ['GET', '/v1/webhook_endpoints', 'list'],
    retrieve: ['GET', '/v1/webhook_endpoints/{id}', 'plain'],
    update: ['POST', '/v1/webhook_endpoints/{id}', 'body'],
    delete: ['DELETE', '/v1/webhook_endpoints/{id}', 'plain'],
    test: ['POST', '/v1/webhook_endpoints/{id}/test', 'plain'],
    rollSecret: ['POST', '/v1/webhook_endpoints/{id}/roll_secret', 'body'],
    enable: ['POST', '/v1/webhook_endpoints/{id}/enable', 'plain'],
    disable: ['POST', '/v1/webhook_endpoints/{id}/disable', 'plain'],
    replay: ['POST', '/v1/webhook_endpoints/{id}/replay', 'body'],
  },
  deliveries: {
    list: ['GET', '/v1/deliveries', 'list'],
    retrieve: ['GET', '/v1/deliveries/{id}', 'plain'],
  },
  webhookReplays: {
    list: ['GET', '/v1/webhook_replays', 'list'],
    retrieve: ['GET', '/v1/webhook_replays/{id}', 'plain'],
  },
  keys: {
    create: ['POST', '/v1/keys', 'body'],
    list: ['GET', '/v1/keys', 'list'],
    retrieve: ['GET', '/v1/keys/{id}', 'plain'],
    update: ['POST', '/v1/keys/{id}', 'body'],
    roll: ['POST', '/v1/keys/{id}/roll', 'body'],
    confirm: ['POST', '/v1/keys/{id}/confirm', 'plain'],
    revoke: ['POST', '/v1/keys/{id}/revoke', 'plain'],
  },
  users: {
    create: ['POST', '/v1/users', 'body'],
    list: ['GET', '/v1/users', 'list'],
    retrieve: ['GET', '/v1/users/{id}', 'plain'],
    update: ['POST', '/v1/users/{id}', 'body'],
    suspend: ['POST', '/v1/users/{id}/suspend', 'plain'],
    resume: ['POST', '/v1/users/{id}/resume', 'plain'],
    confirm: ['POST', '/v1/users/{id}/confirm', 'plain'],
    endSessions: ['POST', '/v1/users/{id}/end_sessions', 'plain'],
    resetLink: ['POST', '/v1/users/{id}/reset_link', 'plain'],
  },
  me: {
    retrieve: ['GET', '/v1/me', 'plain'],
  },
  auditLog: {
    list: ['GET', '/v1/audit_log', 'list'],
  },
  verification: {
    retrieve: ['GET', '/v1/verification', 'plain'],
  },
  summary: {
    retrieve: ['GET', '/v1/summary', 'plain'],
  },
  testHelpers: {
    accounts: {
      fund: ['POST', '/v1/test_helpers/accounts/{id}/fund', 'body'],
    },
    payouts: {
      advance: ['POST', '/v1/test_helpers/payouts/{id}/advance', 'plain'],
      pay: ['POST', '/v1/test_helpers/payouts/{id}/pay', 'plain'],
      fail: ['POST', '/v1/test_helpers/payouts/{id}/fail', 'body'],
      return: ['POST', '/v1/test_helpers/payouts/{id}/return', 'body'],
      approve: ['POST', '/v1/test_helpers/payouts/{id}/approve', 'plain'],
    },
    payoutRules: {
      approve: ['POST', '/v1/test_helpers/settings/payouts/approve', 'plain'],
    },
    limits: {
      approve: ['POST', '/v1/test_helpers/limits/{id}/approve', 'plain'],
    },
    paymentFiles: {
      abandon: ['POST', '/v1/test_helpers/payment_files/{id}/abandon', 'plain'],
      report: ['GET', '/v1/test_helpers/payment_files/{id}/report', 'download'],
    },
    bankAccounts: {
      statement: ['GET', '/v1/test_helpers/bank_accounts/{id}/statement', 'download'],
      credit: ['POST', '/v1/test_helpers/bank_accounts/{id}/credit', 'body'],
    },
    bankEntries: {
      approve: ['POST', '/v1/test_helpers/bank_entries/{id}/approve', 'plain'],
    },
    paymentLinks: {
      pay: ['POST', '/v1/test_helpers/payment_links/{id}/pay', 'body'],
    },
    clock: {
      advance: ['POST', '/v1/test_helpers/clock/advance', 'body'],
    },
    testAccounts: {
      list: ['GET', '/v1/test_helpers/test_accounts', 'whole'],
    },
    reset: ['POST', '/v1/test_helpers/reset', 'body'],
    restore: ['POST', '/v1/test_helpers/restore', 'body'],
  },
  requestLogs: {
    list: ['GET', '/v1/request_logs', 'list'],
    retrieve: ['GET', '/v1/request_logs/{id}', 'plain'],
  },
  search: {
    search: ['POST', '/v1/search', 'body'],
  },
} as const;

/** Of the client, and of the service that it was made for. */
export const VERSION = '0.1.0';

/** Members that are amounts in major units: numbers on the wire, decimal text here. */
export const AMOUNTS: readonly string[] = ['amount', 'amount_received', 'amount_refunded', 'amount_returned', 'amount_unassigned', 'book_value', 'buy_amount', 'difference', 'drift', 'fees', 'in', 'max_amount', 'maximum_amount', 'min_amount', 'minimum_amount', 'open_position', 'out', 'position_limit', 'realised', 'sell_amount', 'total', 'unrealised', 'used', 'value'];

/** Every currency an account can be held in. */
export const CURRENCIES =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG';

/** Currencies whose minor unit is not a hundredth, by decimals. */
export const UNUSUAL_DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};
