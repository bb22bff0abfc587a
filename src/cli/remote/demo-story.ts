/**
 * Thirteen weeks of the company of `bursar demo`, by its own clock and through the API alone. It ends in the present and leaves work for a
 * person: payouts to approve, money without a place, an invoice that nobody paid. The bank makes at most one statement a day, because its
 * statements follow one another by days. Who is in it: `demo-company.ts`; what it begins with: `demo-world.ts`; how each step is made: `demo-steps.ts`.
 */
import { BursarError } from '../../../client/src/bursar.ts';
import { ABROAD, type Moving, NEWCOMER, REJECTED, SENT_BACK, SUPPLIERS, WORKSHOP_GUEST } from './demo-company.ts';
import { Steps } from './demo-steps.ts';
import type { World } from './demo-world.ts';

export const WEEKS = 13;

const [MON, TUE, WED, THU, FRI] = [0, 1, 2, 3, 4] as const;

/** Invoices are numbered, two a week. */
const firstOf = (week: number) => week * 2;
const secondOf = (week: number) => week * 2 + 1;
const UNPAID = firstOf(9);
/** In the first of these weeks the bank does not take it, or sends it back. */
const PAID_TWICE: readonly (readonly [Moving, weeks: readonly number[]])[] = [
  [REJECTED, [2, 3]],
  [SENT_BACK, [6, 7]],
];

/** `onWeek` is called as each week begins: with its number from 1 on, and its Monday (ISO). Rejects with `BursarError` and `Exit`. */
export async function tellStory(world: World, onWeek: (week: number, monday: string) => void): Promise<void> {
  const steps = new Steps(world);
  for (let week = 0; week < WEEKS; week++) {
    onWeek(week + 1, world.clock.dayOf(week * 7));
    await passWeek(world, steps, week);
  }
  await steps.to(WEEKS * 7 + 7, 0); // behind the present, where the clock stops
  await leaveWork(world, steps);
}

async function passWeek({ clock }: World, steps: Steps, week: number): Promise<void> {
  const at = (weekday: number, hours: number, minutes = 0) => steps.to(week * 7 + weekday, hours, minutes);
  const isPayday = /-2[2-8]$/.test(clock.dayOf(week * 7 + WED)); // one Wednesday of each month

  await at(MON, 7, 30);
  if (week === 7) {
    await steps.importStatement(); // with what came back
    await steps.namesAnotherAccount(SENT_BACK);
  }
  if (week === 10) await steps.comesIn('940.00', 'RG 4711', { name: 'R. Brandt' });
  if (week === 12) await steps.comesIn('55.00', 'Thank you!', { name: 'E. Sommer' });
  await at(MON, 8, 40);
  await steps.sendInvoice(firstOf(week));
  if (week % 4 === 1) await steps.exchange();

  await at(TUE, 9, 10);
  if (week >= 1 && firstOf(week - 1) !== UNPAID) await steps.invoiceIsPaid(firstOf(week - 1));

  await at(WED, 9);
  if (isPayday) {
    const held = await steps.paySalaries();
    await at(WED, 9, 30);
    await steps.approve(held);
    await steps.exportFiles();
  }
  await steps.sendInvoice(secondOf(week));
  await at(WED, 11, 15);
  if (week >= 2) await steps.invoiceIsPaid(secondOf(week - 2));
  if (week === WEEKS - 1) await steps.invoiceIsPaid(firstOf(week), { parts: 2n }); // due after the story ends
  if (week % 4 === 1) await steps.payAbroad();

  await at(THU, 7, 30);
  if (isPayday) await steps.importStatement();
  await at(THU, 10);
  await steps.paySuppliers(week);
  for (const [{ payee, amount, invoice }, weeks] of PAID_TWICE)
    if (weeks.includes(week)) await steps.pay(payee, amount, invoice);
  await steps.exportFiles();

  await at(FRI, 8);
  await steps.importStatement();
  if (week === 2) await steps.namesAnotherAccount(REJECTED);
  if (week === 4) await steps.changeOnesMind(ABROAD[0].payee);
  if (week === 8) await steps.sellOne('420.00', 'Antique sextant', true);
  if (week % 2 === 0) {
    const payment = await steps.sellSeat();
    await at(FRI, 16, 20);
    if (week === 6) await steps.giveBack(payment, WORKSHOP_GUEST);
  }
}

/** In the present. */
async function leaveWork({ bursar, accounts, recipientOf }: World, steps: Steps): Promise<void> {
  await bursar.webhookEndpoints.create({
    url: 'https://hooks.kestrel-optics.invalid/stock',
    enabled_events: ['payout.held', 'recipient.created'],
    description: 'Stock keeping',
  });
  const { id: newcomer } = await bursar.recipients.create(NEWCOMER);
  const toNewcomer = { currency: 'EUR', account: accounts.EUR, recipient: newcomer } as const;
  await bursar.payouts.create({ ...toNewcomer, amount: '1890.00', reference: 'AF-7, first order' });
  await steps.pay(SUPPLIERS[4], '24800.00', 'Grinding machine, HF-880');
  await steps.pay(SUPPLIERS[0], '21300.00', 'Glass blanks for a year, FG-5102');
  await bursar.payouts.create({
    amount: '25000.00',
    currency: 'USD',
    account: accounts.USD,
    recipient: recipientOf(ABROAD[1].payee),
    reference: 'Hosting, five years ahead',
    on_insufficient_funds: 'wait',
  });
  await refused(bursar.payouts.create({ ...toNewcomer, amount: '9000000.00' }));
  await steps.sellOne('240.00', 'Deposit for a telescope', false);
  await steps.invoiceIsPaid(secondOf(WEEKS - 1), { isNamed: false });
}

async function refused(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!BursarError.is(error)) throw error;
  });
}
