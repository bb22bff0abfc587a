/** What the story of `bursar demo` begins with: accounts, a bank, payees, rules, an order and endpoints. What happens then: `demo-story.ts`. */
import type { Bursar } from '../../../client/src/bursar.ts';
import {
  ABROAD,
  BANK,
  COMPANY,
  LANDLORD,
  type Payee,
  REJECTED,
  SENT_BACK,
  STAFF,
  SUPPLIERS,
  WORKSHOP_GUEST,
} from './demo-company.ts';
import { SandboxClock } from './demo-clock.ts';

export interface World {
  readonly bursar: Bursar;
  readonly clock: SandboxClock;
  readonly accounts: Readonly<Record<Payee['currency'], string>>;
  readonly bank: string;
  /** The id of a payee. */
  recipientOf(payee: Payee): string;
  /** Of the standing order that pays the rent. */
  readonly rent: string;
  /** The first day of the rent, ISO. */
  readonly rentOn: string;
  readonly workshop: string;
}

const EVERYBODY = [
  ...STAFF.map(({ payee }) => payee),
  ...SUPPLIERS,
  REJECTED.payee,
  SENT_BACK.payee,
  LANDLORD,
  WORKSHOP_GUEST,
  ...ABROAD.map(({ payee }) => payee),
];

/** Empties the sandbox. Its clock stands so many weeks ago afterwards. */
export async function beginWorld(bursar: Bursar, weeks: number): Promise<World> {
  const clock = await SandboxClock.begin(bursar, weeks);
  await clock.to(0, 8);
  await bursar.settings.update({
    name: COMPANY,
    accent_color: '#1d6f8a',
    contact_email: 'accounts@kestrel-optics.example',
    address: { line1: 'Sonnenallee 63', postal_code: '12045', city: 'Berlin', country: 'DE' },
  });
  const open = async (currency: Payee['currency'], name: string) =>
    (await bursar.accounts.create({ currency, name })).id;
  const accounts = {
    EUR: await open('EUR', 'Main'),
    GBP: await open('GBP', 'Pounds'),
    USD: await open('USD', 'Dollars'),
  };
  const { id: bank } = await bursar.bankAccounts.create(BANK);
  const recipients = new Map<Payee, string>();
  for (const payee of EVERYBODY) recipients.set(payee, (await bursar.recipients.create(payee)).id);
  const recipientOf = (payee: Payee) => recipients.get(payee) as string;

  await bursar.payoutRules.update({ hold_new_recipients_hours: 24 });
  await bursar.limits.create({ currency: 'EUR', amount: '20000.00', per: 'environment', action: 'hold' });
  const { reference } = await bursar.accounts.retrieveDepositInstructions(accounts.EUR);
  await bursar.testHelpers.bankAccounts.credit(bank, {
    amount: '140000.00',
    text: `Opening ${reference}`,
    name: COMPANY,
    iban: 'DE06200505501205356844',
  });
  const rentOn = clock.dayOf(3);
  const { id: rent } = await bursar.standingOrders.create({
    amount: '2850.00',
    currency: 'EUR',
    recipient: recipientOf(LANDLORD),
    account: accounts.EUR,
    interval: 'month',
    starts_on: rentOn,
    reference: 'Rent, Sonnenallee 63',
  });
  const { id: workshop } = await bursar.paymentLinks.create({
    amount: '85.00',
    currency: 'GBP',
    account: accounts.GBP,
    reusable: true,
    description: 'Lens grinding workshop, one seat',
  });
  await bursar.webhookEndpoints.create({
    url: 'https://erp.kestrel-optics.invalid/bursar', // RFC 6761, 6.4: nobody answers there
    enabled_events: ['payout.failed', 'payout.returned'],
    description: 'Old ERP, switched off',
  });
  await letIn(bursar);
  return { bursar, clock, accounts, bank, recipientOf, rent, rentOn, workshop };
}

/** Keys and users outlive a reset, so those of an earlier demo stay. */
async function letIn(bursar: Bursar): Promise<void> {
  const key = { name: 'Bookkeeping (demo)', scopes: ['accounts:read', 'payouts:read', 'events:read'] } as const;
  const users = [
    { name: 'Luise Hartmann', email: 'luise@kestrel-optics.example', roles: ['approver'] },
    { name: 'Samuel Okafor', email: 'samuel@kestrel-optics.example', roles: ['accountant'] },
  ] as const;
  const keys = new Set<string>();
  for await (const { name } of bursar.keys.list()) keys.add(name);
  if (!keys.has(key.name)) await bursar.keys.create(key);
  const known = new Set<string>();
  for await (const { email } of bursar.users.list()) known.add(email);
  for (const user of users) if (!known.has(user.email)) await bursar.users.create(user);
}
