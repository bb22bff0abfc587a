/** The examples of the OpenAPI document. */
import { exampleId } from '../../core/values/ids.ts';
import { DAILY_STATEMENT } from './fields.ts';

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
      counterparty_name: null,
      text: null,
    },
  ],
};

export const STATEMENT_SET = {
  object: 'account_statements',
  livemode: false,
  from: STATEMENT.from,
  to: STATEMENT.to,
  statements: [STATEMENT],
};

const ISSUED = {
  object: 'daily_statement',
  id: exampleId('stm'),
  day: '2024-11-21',
  createdAt: 1_732_233_601_000,
} as const;
export const DAILY: unknown = JSON.parse(DAILY_STATEMENT.render(ISSUED, false));
