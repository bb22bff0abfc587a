/** Money that is asked for: payment links, refunds, expected payments. And what is paid again and again: standing orders. */
import type { Action } from '../actions.ts';
import { pick, type Stage, type, typeAll } from './stage.ts';

/** Before any day of the tests. */
const FIRST_DAY = '2099-01-31';

export async function incomingActions({ make, world }: Stage): Promise<readonly Action[]> {
  const { accounts, recipients } = world;
  const money = { amount: '20.00', currency: 'EUR', account: accounts.EUR };
  const link = await make('/v1/payment_links', money);
  // The payer is invented, and its account is known.
  const payment = await make(`/v1/test_helpers/payment_links/${await make('/v1/payment_links', money)}/pay`);
  const expected = await make('/v1/expected_payments', money);
  const rhythm = { interval: 'month', starts_on: FIRST_DAY, recipient: recipients[0] };
  const order = () => make('/v1/standing_orders', { ...money, ...rhythm });
  const [changed, paused, resumed, ended] = [await order(), await order(), await order(), await order()];
  await make(`/v1/standing_orders/${resumed}/pause`);
  return [
    {
      name: 'make a payment link',
      by: 'operator',
      notBy: 'viewer',
      at: '/payment-links/new',
      async first(page) {
        await pick(page, 'Currency', 'EUR');
        await typeAll({ 'What for': 'Table', 'Amount in EUR': '7' })(page);
      },
      begins: ['Make the link'],
      request: 'POST /v1/payment_links',
      body: { amount: '7.00', currency: 'EUR', description: 'Table' },
      says: 'To the payer',
    },
    {
      name: 'deactivate a payment link',
      by: 'operator',
      notBy: 'admin',
      at: `/payment-links/${link}`,
      begins: ['Deactivate'],
      sends: 'Deactivate',
      request: 'POST /v1/payment_links/{id}/deactivate',
      says: 'Deactivated.',
    },
    {
      name: 'refund a payment',
      by: 'operator',
      notBy: 'approver',
      at: `/payments/${payment}`,
      begins: ['Refund'],
      sends: 'Refund 20.00 EUR',
      request: 'POST /v1/payments/{id}/refund',
      body: { amount: '20.00' },
      says: '20.00 EUR is on its way back.',
    },
    {
      name: 'expect a payment',
      by: 'operator',
      notBy: 'accountant',
      at: '/expected-payments/new',
      async first(page) {
        await pick(page, 'Currency', 'EUR');
        await typeAll({ From: 'Ada', 'Amount in EUR': '9' })(page);
      },
      begins: ['Expect it'],
      request: 'POST /v1/expected_payments',
      body: { amount: '9.00', currency: 'EUR', payer: 'Ada' },
      says: 'To the payer',
    },
    {
      name: 'cancel an expected payment',
      by: 'operator',
      notBy: 'viewer',
      at: `/expected-payments/${expected}`,
      begins: ['Cancel'],
      sends: 'Cancel it',
      request: 'POST /v1/expected_payments/{id}/cancel',
      says: 'Canceled.',
    },
    {
      name: 'make a standing order',
      by: 'operator',
      notBy: 'accountant',
      at: `/standing-orders/new?recipient=${recipients[1]}`,
      first: typeAll({ 'Amount in EUR': '30', 'First day': FIRST_DAY }),
      begins: ['Create the standing order'],
      request: 'POST /v1/standing_orders',
      body: {
        recipient: recipients[1],
        currency: 'EUR',
        amount: '30.00',
        interval: 'month',
        interval_count: 1,
        starts_on: FIRST_DAY,
      },
      says: 'Coming days',
    },
    {
      name: 'change a standing order',
      by: 'operator',
      notBy: 'viewer',
      at: `/standing-orders/${changed}`,
      begins: ['Change'],
      fill: type('Amount in EUR', '21'),
      sends: 'Change',
      request: 'POST /v1/standing_orders/{id}',
      body: { amount: '21.00' },
      says: 'Changed.',
    },
    {
      name: 'pause a standing order',
      by: 'operator',
      notBy: 'approver',
      at: `/standing-orders/${paused}`,
      begins: ['Pause'],
      sends: 'Pause',
      request: 'POST /v1/standing_orders/{id}/pause',
      says: 'Paused.',
    },
    {
      name: 'resume a standing order',
      by: 'operator',
      notBy: 'admin',
      at: `/standing-orders/${resumed}`,
      begins: ['Resume'],
      sends: 'Resume',
      request: 'POST /v1/standing_orders/{id}/resume',
      says: 'Resumed.',
    },
    {
      name: 'end a standing order',
      by: 'operator',
      notBy: 'accountant',
      at: `/standing-orders/${ended}`,
      begins: ['End'],
      sends: 'End it',
      request: 'POST /v1/standing_orders/{id}/cancel',
      says: 'Ended.',
    },
  ];
}
