/** The examples of the OpenAPI document. */

export const STATEMENT = {
  object: 'statement',
  account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  livemode: false,
  currency: 'EUR',
  from: 1_730_419_200,
  to: 1_733_011_199,
  opening_balance: 100_000,
  closing_balance: 75_000,
  lines: [
    {
      transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xa',
      created: 1_732_184_000,
      date: '2024-11-21',
      amount: -250,
      amount_minor: -25_000,
      balance_after: 75_000,
      counterparty: 'in_transit',
      cause: 'payout',
      cause_id: 'po_01jd3v9q4ne8v8k3w2m6r5t7xa',
      description: null,
      recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa',
      recipient_name: 'Ada Lovelace',
      reference: 'Invoice 7',
      external_id: 'order-7',
      payment_link: null,
      refund_of: null,
    },
  ],
};

export const STATEMENT_SET = {
  object: 'statement_set',
  livemode: false,
  from: STATEMENT.from,
  to: STATEMENT.to,
  statements: [STATEMENT],
};

export const DAILY = {
  id: 'stm_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'daily_statement',
  created: 1_732_233_601,
  livemode: false,
  day: '2024-11-21',
  from: 1_732_147_200,
  to: 1_732_233_599,
  content: '/v1/statements/stm_01jd3v9q4ne8v8k3w2m6r5t7xa/content',
};
