/** Money of one's own: accounts, transfers, exchanges and recipients. Money from others: `incoming.ts`. */
import type { Page } from 'playwright-core';
import type { Action } from '../actions.ts';
import { pick, type Stage, type, typeAll } from './stage.ts';

export async function moneyActions({ make, world }: Stage): Promise<readonly Action[]> {
  const { accounts } = world;
  const savings = await make('/v1/accounts', { currency: 'EUR', name: 'Savings' });
  const empty = await make('/v1/accounts', { currency: 'KWD', name: 'Closed' });
  const payee = { type: 'individual', currency: 'EUR', country: 'DE' };
  const recipient = (name: string, iban: string) => make('/v1/recipients', { ...payee, name, iban });
  const changed = await recipient('Ida Rhodes', 'DE02370502990000684712');
  const erased = await recipient('Kay McNulty', 'DE88100900001234567892');
  // What is held in EUR is beyond the limit, and no exchange waits for anybody.
  const exchange = async (page: Page) => {
    await pick(page, 'Sell from', /^Main GBP/);
    await pick(page, 'Buy into', /^Main USD/);
    await type('You sell in GBP', '10')(page);
  };
  return [
    {
      name: 'open an account',
      by: 'operator',
      notBy: 'viewer',
      at: '/accounts',
      begins: ['New account'],
      fill: typeAll({ Currency: 'chf', Name: 'Zürich' }),
      sends: 'Open the account',
      request: 'POST /v1/accounts',
      body: { currency: 'CHF', name: 'Zürich' },
      says: 'There is no other open account in CHF.',
    },
    {
      name: 'close an account',
      by: 'operator',
      notBy: 'accountant',
      at: `/accounts/${empty}`,
      begins: ['Close this account'],
      sends: 'Close the account',
      request: 'POST /v1/accounts/{id}/close',
      says: 'The account is closed.',
    },
    {
      name: 'move money to another account',
      by: 'operator',
      notBy: 'admin',
      at: `/accounts/${accounts.EUR}`,
      begins: ['Transfer'],
      fill: type('Amount in EUR', '5'),
      sends: 'Transfer',
      request: 'POST /v1/transfers',
      body: { from: accounts.EUR, to: savings, amount: '5.00' },
      says: 'The money has moved.',
    },
    {
      name: 'download a statement',
      by: 'viewer',
      notBy: 'nobody',
      isKeptBack: false,
      refusal: 'You have no role in sandbox.',
      at: `/accounts/${accounts.EUR}`,
      begins: ['Statement'],
      sends: 'Download',
      request: 'GET /v1/accounts/{id}/statement',
      downloads: /^[\w-]+\.pdf$/,
    },
    {
      name: 'ask for a quote',
      by: 'operator',
      notBy: 'viewer',
      at: '/exchanges/new',
      first: exchange,
      begins: ['Get a quote'],
      request: 'POST /v1/exchanges/quote',
      body: { sell_currency: 'GBP', buy_currency: 'USD', amount: '10.00', fixed_side: 'sell' },
      says: 'Good for',
    },
    {
      name: 'exchange money',
      by: 'operator',
      notBy: 'approver',
      at: '/exchanges/new',
      first: exchange,
      begins: ['Get a quote', 'Book'],
      request: 'POST /v1/exchanges',
      body: { quote: '?', sell_account: accounts.GBP, buy_account: accounts.USD },
      says: 'What moved',
    },
    {
      name: 'add a recipient',
      by: 'operator',
      notBy: 'viewer',
      at: '/recipients/new',
      async first(page) {
        await typeAll({ Name: 'Grace Hopper', Currency: 'EUR' })(page);
        await page.getByRole('combobox', { name: 'Country of the bank account' }).fill('Germ');
        await page.getByRole('option', { name: 'Germany', exact: true }).click();
        await type('IBAN', 'DE75512108001245126199')(page);
      },
      begins: ['Add the recipient'],
      request: 'POST /v1/recipients',
      body: {
        name: 'Grace Hopper',
        type: 'company',
        country: 'DE',
        currency: 'EUR',
        bank_details: { iban: 'DE75512108001245126199' },
      },
      says: 'Nothing has been paid to them yet.',
    },
    {
      name: 'change a recipient',
      by: 'operator',
      notBy: 'accountant',
      at: `/recipients/${changed}`,
      begins: ['Change'],
      fill: type('Name', 'Ida <b>Rhodes</b>'),
      sends: 'Change',
      request: 'POST /v1/recipients/{id}',
      body: { name: 'Ida <b>Rhodes</b>' },
      says: 'Changed.',
    },
    {
      name: 'erase the person behind a recipient',
      by: 'operator',
      notBy: 'admin',
      at: `/recipients/${erased}`,
      begins: ['More', 'Erase the person'],
      sends: 'Erase',
      request: 'POST /v1/recipients/{id}/redact',
      says: 'Erased.',
    },
  ];
}
