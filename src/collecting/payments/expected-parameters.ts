/** Parameters of requests about expected payments. */
import { date } from '../../platform/http/request/date.ts';
import * as param from '../../platform/http/request/params.ts';

export const createExpectedParams = param.params({
  amount: param.amount({ description: 'The expected amount, in major units.', example: '119.00' }),
  currency: param.currency({ description: 'Its currency.' }),
  ...param.optional({
    account: param.id('acct', { description: 'Account to credit; by default the oldest open one of the currency.' }),
    payer: param.text({ kind: 'name', max: 140, description: 'Who is expected to pay.', example: 'Example AG' }),
    description: param.text({ max: 500, description: 'What the payment is for.', example: 'Invoice 2026-17' }),
    due_on: date({ description: 'The last day on which the payment is in time, in UTC.' }),
    metadata: param.metadata(),
  }),
});

export const codeParams = param.params({
  format: param.withDefault(param.oneOf(['svg', 'png'], { description: 'The picture.' }), 'svg'),
});
