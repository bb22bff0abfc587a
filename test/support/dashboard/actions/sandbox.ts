/** The tools of the sandbox; and, at last, what empties it. */
import type { Action } from '../actions.ts';
import { payout, type Stage, type, typeAll } from './stage.ts';

export async function sandboxActions(stage: Stage): Promise<readonly Action[]> {
  const waiting = (reference: string) => payout(stage, 'GBP', '1.00', reference);
  const [moved, paid, failed, returned] = [
    await waiting('moved'),
    await waiting('paid'),
    await waiting('failed'),
    await waiting('returned'),
  ];
  await stage.client.post(`/v1/test_helpers/payouts/${returned}/pay`);
  return [
    {
      name: 'add money that is none',
      by: 'developer',
      notBy: 'operator',
      at: '/sandbox-tools',
      async first(page) {
        const account = page.getByRole('combobox', { name: 'Account', exact: true });
        await account.click();
        await page.getByRole('option', { name: 'Main GBP (GBP)' }).click();
        await type('Amount in GBP', '10')(page);
      },
      begins: ['Add it'],
      request: 'POST /v1/test_helpers/accounts/{id}/fund',
      body: { amount: '10' },
      says: 'The money is in the account.',
    },
    {
      name: 'move a payout on',
      by: 'developer',
      notBy: 'admin',
      at: '/sandbox-tools',
      first: typeAll({ Payout: moved }),
      begins: ['Next step'],
      request: 'POST /v1/test_helpers/payouts/{id}/advance',
      says: 'The payout is in transit now.',
    },
    {
      name: 'let a payout arrive',
      by: 'developer',
      notBy: 'approver',
      at: '/sandbox-tools',
      first: typeAll({ Payout: paid }),
      begins: ['Pay'],
      request: 'POST /v1/test_helpers/payouts/{id}/pay',
      says: 'The payout is paid now.',
    },
    {
      name: 'let a payout fail',
      by: 'developer',
      notBy: 'operator',
      at: '/sandbox-tools',
      first: typeAll({ Payout: failed }),
      begins: ['Fail'],
      request: 'POST /v1/test_helpers/payouts/{id}/fail',
      says: 'The payout is failed now.',
    },
    {
      name: 'let a payout come back',
      by: 'developer',
      notBy: 'viewer',
      at: '/sandbox-tools',
      first: typeAll({ Payout: returned }),
      begins: ['Send back'],
      request: 'POST /v1/test_helpers/payouts/{id}/return',
      says: 'The payout is returned now.',
    },
    {
      name: 'move the clock on',
      by: 'developer',
      notBy: 'accountant',
      at: '/sandbox-tools',
      begins: ['An hour on'],
      request: 'POST /v1/test_helpers/clock/advance',
      body: { seconds: 3_600 },
    },
  ];
}

export const emptyingActions = (): Promise<readonly Action[]> =>
  Promise.resolve([
    {
      name: 'empty the sandbox',
      by: 'developer',
      notBy: 'admin',
      at: '/sandbox-tools',
      begins: ['Empty the sandbox'],
      fill: type('Type reset to confirm', 'reset'),
      sends: 'Empty it',
      request: 'POST /v1/test_helpers/reset',
      body: { seed: true },
      says: 'The sandbox is empty again.',
    },
  ]);
