/**
 * What can happen to the company of `bursar demo`: invoices, what comes in for them, payouts, salaries, exchanges, links, and files of the
 * bank. Each step is what a program of the company would ask the API for, and waits for what workers do about it. When: `demo-story.ts`.
 */
import { BursarError, fromMinor } from '../../../client/src/bursar.ts';
import { eventually } from './recipe-parts.ts';
import { ABROAD, type Customer, CUSTOMERS, type Moving, type Payee, STAFF, SUPPLIERS } from './demo-company.ts';
import type { Day } from './demo-clock.ts';
import type { World } from './demo-world.ts';

/** What a customer was asked for. */
interface Invoice {
  readonly reference: string;
  readonly minor: bigint;
  readonly customer: Customer;
}

/** A number below `most` that looks like any, and is the same for the same `number`. */
const spread = (number: number, most: bigint): bigint => (BigInt(number + 3) * 48_213_957n) % most;
const turnOf = <T>(all: readonly T[], turn: number): T => all[turn % all.length] as T;

export class Steps {
  private readonly world: World;
  private readonly invoices: Invoice[] = [];
  /** The next day of the rent, ISO. */
  private rentOn: string;

  constructor(world: World) {
    this.world = world;
    this.rentOn = world.rentOn;
  }

  /** Moves on. Where a day of the rent comes before that, a worker pays it first. */
  async to(day: Day, hours: number, minutes = 0): Promise<void> {
    const { bursar, clock, rent } = this.world;
    while (this.rentOn <= clock.dayOf(day)) {
      const due = this.rentOn;
      if (!(await clock.to(clock.dayNamed(due), 5))) return;
      this.rentOn = await eventually(`The rent of ${due}`, async () => {
        const { next_run_on: next } = await bursar.standingOrders.retrieve(rent);
        return next !== null && next > due ? next : undefined;
      });
    }
    await clock.to(day, hours, minutes);
  }

  pay(payee: Payee, amount: `${number}`, reference: string, scheduled_on?: string) {
    const { bursar, accounts, recipientOf } = this.world;
    const { currency } = payee;
    const order = { amount, currency, account: accounts[currency], recipient: recipientOf(payee), reference };
    return bursar.payouts.create({ ...order, scheduled_on });
  }

  /** The two whose turn it is. */
  async paySuppliers(week: number): Promise<void> {
    for (const turn of [week * 2, week * 2 + 1]) {
      const amount = fromMinor(41_500n + spread(turn, 98_000n), 'EUR');
      await this.pay(turnOf(SUPPLIERS, turn), amount, `Invoice ${2200 + turn * 7}`);
    }
  }

  /** A payroll, which passes the limit of a day. What waits for a second person. */
  async paySalaries(): Promise<readonly string[]> {
    const { bursar, clock, accounts, recipientOf } = this.world;
    const month = clock.dayOf(clock.today()).slice(0, 7);
    const { results } = await bursar.payoutBatches.create({
      external_id: `payroll-${month}`,
      category_purpose: 'SALA',
      payouts: STAFF.map(({ payee, salary }, nth) => ({
        amount: salary,
        currency: 'EUR',
        account: accounts.EUR,
        recipient: recipientOf(payee),
        reference: `Salary ${month}`,
        external_id: `salary-${month}-${nth + 1}`,
      })),
    });
    return results.flatMap((each) =>
      each.status === 'created' && each.payout.release?.status === 'held' ? [each.payout.id] : [],
    );
  }

  async approve(payouts: readonly string[]): Promise<void> {
    for (const id of payouts) await this.world.bursar.testHelpers.payouts.approve(id);
  }

  /** Payouts leave in files, and the bank says which of them it takes. */
  async exportFiles(): Promise<void> {
    const { bursar, bank } = this.world;
    const { files } = await bursar.paymentFiles.create({ bank_account: bank });
    for (const { id } of files) {
      await eventually(`The file ${id}`, async () =>
        (await bursar.paymentFiles.retrieve(id)).status === 'sealed' ? id : undefined,
      );
      await this.importFile(await bursar.testHelpers.paymentFiles.report(id));
    }
  }

  /** The next statement of the bank. */
  async importStatement(): Promise<void> {
    const { bursar, bank } = this.world;
    await this.importFile(await bursar.testHelpers.bankAccounts.statement(bank));
  }

  private async importFile(said: Response): Promise<void> {
    const { bursar } = this.world;
    const { id } = await bursar.statementFiles.import(await said.text());
    await eventually(`The import of ${id}`, async () =>
      (await bursar.statementFiles.retrieve(id)).status === 'imported' ? id : undefined,
    );
  }

  /** An invoice to the customer whose turn it is, due in two weeks. */
  async sendInvoice(number: number): Promise<void> {
    const { bursar, clock, accounts } = this.world;
    const customer = turnOf(CUSTOMERS, number);
    const minor = 380_000n + spread(number, 520_000n);
    const { reference } = await bursar.expectedPayments.create({
      amount: fromMinor(minor, 'EUR'),
      currency: 'EUR',
      account: accounts.EUR,
      payer: customer.name,
      description: `Invoice K-${1000 + number}: ${customer.buys}`,
      due_on: clock.dayOf(clock.today() + 14),
    });
    this.invoices[number] = { reference, minor, customer };
  }

  /** One of so many parts of an invoice comes in, with its reference or without. */
  async invoiceIsPaid(number: number, { parts = 1n, isNamed = true } = {}): Promise<void> {
    const { reference, minor, customer } = this.invoices[number] as Invoice;
    const text = isNamed ? `K-${1000 + number} ${reference}` : 'Your invoice';
    await this.comesIn(fromMinor(minor / parts, 'EUR'), text, customer);
  }

  async comesIn(amount: `${number}`, text: string, { name, iban }: Pick<Customer, 'name'> & Partial<Customer>) {
    const { bursar, bank } = this.world;
    await bursar.testHelpers.bankAccounts.credit(bank, { amount, text, name, iban });
  }

  /** What the payees abroad are paid with, by a quote each. */
  async exchange(): Promise<void> {
    const { bursar, accounts } = this.world;
    for (const { payee, amount } of ABROAD) {
      const pair = { sell_currency: 'EUR', buy_currency: payee.currency } as const;
      const { id: quote } = await bursar.exchanges.quote({ ...pair, amount, fixed_side: 'buy' });
      await bursar.exchanges.create({ quote, sell_account: accounts.EUR, buy_account: accounts[payee.currency] });
    }
  }

  async payAbroad(): Promise<void> {
    for (const { payee, amount, why } of ABROAD) await this.arrives((await this.pay(payee, amount, why)).id);
  }

  /** The company has no bank account in the currency, so the sandbox takes the steps. Its worker may have taken one already. */
  async arrives(id: string): Promise<void> {
    const { bursar } = this.world;
    for (let steps = 0; steps < 3; steps++) {
      if ((await bursar.payouts.retrieve(id)).status === 'paid') return;
      await bursar.testHelpers.payouts.advance(id).catch((error: unknown) => {
        if (!BursarError.is(error)) throw error;
      });
    }
  }

  /** A payout that was planned, and is canceled. */
  async changeOnesMind(payee: Payee): Promise<void> {
    const { bursar, clock } = this.world;
    const inAWeek = clock.dayOf(clock.today() + 7);
    await bursar.payouts.cancel((await this.pay(payee, '120.00', 'Travel', inAWeek)).id);
  }

  /** The payee names another account, so that it can be paid again. */
  async namesAnotherAccount({ payee, iban }: Moving): Promise<void> {
    await this.world.bursar.recipients.update(this.world.recipientOf(payee), { bank_details: { iban } });
  }

  /** A seat of the workshop is paid on the page of its link. Its payment. */
  async sellSeat(): Promise<string> {
    const { bursar, workshop } = this.world;
    return (await bursar.testHelpers.paymentLinks.pay(workshop)).id;
  }

  async giveBack(payment: string, to: Payee): Promise<void> {
    const { bursar, recipientOf } = this.world;
    const recipient = recipientOf(to);
    await bursar.payments.refund(payment, { recipient });
    for (const { id } of (await bursar.payouts.list({ recipient }).page()).data) await this.arrives(id);
  }

  /** A link for one sale, in dollars; paid, unless it stays open. */
  async sellOne(amount: `${number}`, description: string, isPaid: boolean): Promise<void> {
    const { bursar, accounts } = this.world;
    const { id } = await bursar.paymentLinks.create({ amount, currency: 'USD', account: accounts.USD, description });
    if (isPaid) await bursar.testHelpers.paymentLinks.pay(id);
  }
}
