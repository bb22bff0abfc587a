/**
 * Finds all that is stored about one person: whom payouts go to, who pays, and who signs in. Reads as the owner of the tables, and opens what is
 * sealed. Nothing is indexed by persons, so payments and bank entries are read through. Next: `person-export.ts`, `person-redact.ts`.
 */
import { idOf, uuidOf } from '../core/values/ids.ts';
import type { BankEntry, BankEntryDetails, ExplainedTransaction } from '../bank/statements/fields.ts';
import { BANK_DETAILS, BANK_ENTRIES } from '../bank/statements/sql.ts';
import type { ExpectedPayment, Payment, PaymentLink } from '../collecting/payments/fields.ts';
import { EXPECTED_PAYMENTS, PAYMENT_LINKS, PAYMENTS } from '../collecting/payments/sql.ts';
import { PAYOUTS } from '../paying/payouts/sql.ts';
import { ibanToFind } from '../paying/recipients/bank-details.ts';
import type { Recipient } from '../paying/recipients/fields.ts';
import { RECIPIENTS } from '../paying/recipients/sql.ts';
import type { Row } from '../platform/db/wire/statement.ts';
import type { Table } from '../platform/db/wire/table.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { emailOf, nameOf, type User } from '../tenancy/people/fields.ts';
import { USERS } from '../tenancy/people/sql.ts';
import { type AtRest, opened } from '../write/at-rest.ts';
import type { ServiceEnvironment } from './audit.ts';

/** A person is found by one of these. */
export type Sought =
  | { readonly recipient: string }
  | { readonly email: string }
  | { readonly iban: string }
  | { readonly name: string };

/** What was asked for is no id, e-mail or IBAN. */
export class SoughtInvalid extends Error {}

/** What of a person stands in one environment, each kind by id. */
export interface Person {
  readonly environment: ServiceEnvironment;
  readonly recipients: ReadonlyMap<string, Recipient>;
  readonly links: ReadonlyMap<string, PaymentLink>;
  readonly payments: ReadonlyMap<string, Payment>;
  readonly expected: ReadonlyMap<string, ExpectedPayment>;
  readonly entries: ReadonlyMap<string, BankEntry>;
  /** As whom the person signs in. */
  readonly users: ReadonlyMap<string, User>;
  /** Details that wait for their entry. */
  readonly details: ReadonlyMap<string, BankEntryDetails>;
  /** Of entries and details: the places of the person's transactions, from 0. Others paid in the same entry. */
  readonly transactions: ReadonlyMap<string, readonly number[]>;
}

type Readable<T> = Pick<Table<T>, 'name' | 'columns'> & { read(row: Row): T };

const PAGE_ROWS = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Reads the objects of one environment. */
export class EnvironmentReader {
  private readonly run: Run;
  private readonly sealing: AtRest;
  readonly environment: ServiceEnvironment;

  constructor(run: Run, sealing: AtRest, environment: ServiceEnvironment) {
    this.run = run;
    this.sealing = sealing;
    this.environment = environment;
  }

  /** `condition`: over the table `t`. In pages, in order of their ids: the whole table is walked. */
  async *all<T>(table: Readable<T>, condition: string): AsyncGenerator<T> {
    for (let after = FIRST; ; ) {
      const where = `t.id > $2 AND ${condition} ORDER BY t.environment_id, t.id LIMIT ${PAGE_ROWS}`;
      const found = await this.some(table, where, after);
      yield* found.map(({ object }) => object);
      if (found.length < PAGE_ROWS) return;
      after = found.at(-1)?.uuid as string;
    }
  }

  /** Ids of the recipients that once had this account, or a name that is meant. All versions are walked. */
  async *formerly(iban: string | null, isName: (text: string | null) => boolean): AsyncGenerator<string> {
    const { recipients } = this.sealing;
    const account = iban === null ? undefined : this.fingerprintsOf(iban)[0];
    const isAccount = (details: string, id: string) =>
      account !== undefined &&
      recipients.fingerprintsOf(this.environment.environmentId, recipients.detailsOf(details, id))[0] === account;
    const text = `SELECT recipient_id, version, name, latin_name, bank_details::text AS details FROM recipient_versions
      WHERE environment_id = $1 AND (recipient_id, version) > ($2, $3) ORDER BY recipient_id, version LIMIT ${PAGE_ROWS}`;
    for (let after: readonly unknown[] = [FIRST, 0]; ; ) {
      const rows = await this.run({ text, values: [uuidOf(this.environment.environmentId), ...after] });
      for (const row of rows) {
        const id = idOf('rcp', row['recipient_id'] as string);
        const names = [row['name'], row['latin_name']] as (string | null)[];
        if (names.some(isName) || isAccount(row['details'] as string, id)) yield id;
      }
      if (rows.length < PAGE_ROWS) return;
      after = [rows.at(-1)?.['recipient_id'], rows.at(-1)?.['version']];
    }
  }

  /** By `column`, which holds ids. */
  of<T>(table: Readable<T>, column: string, ids: Iterable<string>): Promise<readonly T[]> {
    return this.where(table, `t.${column} = ANY ($2::uuid[])`, [...ids].map(uuidOf));
  }

  /** `condition`: over the table `t`, about `$2` and so on; few rows, found by an index. */
  async where<T>(table: Readable<T>, condition: string, ...values: readonly unknown[]): Promise<readonly T[]> {
    const found = await this.some(table, `${condition} ORDER BY t.id`, ...values);
    return found.map(({ object }) => object);
  }

  private async some<T>({ name, columns, read }: Readable<T>, condition: string, ...values: readonly unknown[]) {
    const text = `SELECT ${columns('t')} FROM ${name} t WHERE t.environment_id = $1 AND ${condition}`;
    const rows = await this.run({ text, values: [uuidOf(this.environment.environmentId), ...values] });
    return rows.map((row) => ({ uuid: row['id'], object: opened(this.sealing, read(row) as never) as T }));
  }

  fingerprintsOf(iban: string): readonly string[] {
    return this.sealing.recipients.fingerprintsOf(this.environment.environmentId, { iban });
  }
}

/** Rejects with {@link SoughtInvalid}. Environments in which nothing is found are left out. */
export async function findPerson(
  run: Run,
  sealing: AtRest,
  environments: readonly ServiceEnvironment[],
  sought: Sought,
): Promise<readonly Person[]> {
  const marks = marksOf(sought);
  const persons: Person[] = [];
  for (const environment of environments) {
    const person = await personIn(new EnvironmentReader(run, sealing, environment), marks);
    if (countOf(person) > 0) persons.push(person);
  }
  return persons;
}

const countOf = ({ recipients, links, payments, expected, entries, details, users }: Person): number =>
  users.size + recipients.size + links.size + payments.size + expected.size + entries.size + details.size;

/**
 * Texts without case, by Unicode alone: `I` is `i` under every locale, and `ı` is another letter. Made here and not by the database,
 * whose `lower` depends on the locale that it was made with.
 */
export const comparable = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

/** Of a name, without the blanks that it may have more of. */
export const comparableName = (name: string): string => comparable(name.trim().replaceAll(/\s+/g, ' '));

/** What a person is known by: whether a text is that. */
interface Marks {
  readonly recipient: string | null;
  readonly iban: string | null;
  readonly isEmail: (text: string | null) => boolean;
  readonly isName: (text: string | null) => boolean;
  /** Whether the words of a payer name the person: the e-mail or the IBAN. */
  readonly isIn: (words: string | null) => boolean;
}

const never = () => false;

function marksOf(sought: Sought): Marks {
  const none = { recipient: null, iban: null, isEmail: never, isName: never, isIn: never };
  if ('recipient' in sought) return { ...none, recipient: sought.recipient };
  if ('email' in sought) {
    const email = comparable(sought.email);
    const isEmail = (text: string | null) => text !== null && comparable(text) === email;
    return { ...none, isEmail, isIn: (words) => words?.split(/[\s,;:<>()"']+/).some(isEmail) ?? false };
  }
  if ('name' in sought) {
    const name = comparableName(sought.name);
    return { ...none, isName: (text) => text !== null && comparableName(text) === name };
  }
  const found = ibanToFind(sought.iban);
  if (!('iban' in found)) throw new SoughtInvalid(found.message);
  const { iban } = found;
  return { ...none, iban, isIn: (words) => words !== null && bare(words).includes(iban) };
}

const bare = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase();

/** Follows what belongs together (a link and its payments, a payment and its entry, a refund and its recipient) until nothing is new. */
async function personIn(reader: EnvironmentReader, marks: Marks): Promise<Person> {
  const person = {
    environment: reader.environment,
    recipients: new Map<string, Recipient>(),
    links: new Map<string, PaymentLink>(),
    payments: new Map<string, Payment>(),
    expected: new Map<string, ExpectedPayment>(),
    entries: new Map<string, BankEntry>(),
    users: new Map<string, User>(),
    details: new Map<string, BankEntryDetails>(),
    transactions: new Map<string, readonly number[]>(),
  };
  await add(
    person.users,
    reader.all(USERS, 'true'),
    (user) =>
      [user.invitedEmail, emailOf(user)].some(marks.isEmail) || [user.personName, nameOf(user)].some(marks.isName),
  );
  for (let before = -1; countOf(person) > before; ) {
    before = countOf(person);
    await addRecipients(reader, marks, person);
    const payouts = new Map<string, string | null>();
    for (const { id, refundOf } of await reader.of(PAYOUTS, 'recipient_id', person.recipients.keys()))
      payouts.set(id, refundOf);
    await addPayments(
      reader,
      marks,
      person,
      [...payouts.values()].filter((id) => id !== null),
    );
    await addEntries(reader, marks, person, payouts.keys());
  }
  return person;
}

type Growing = {
  readonly [K in keyof Person]: Person[K] extends ReadonlyMap<infer I, infer T> ? Map<I, T> : Person[K];
};

async function add<T extends { readonly id: string }>(
  to: Map<string, T>,
  found: AsyncIterable<T> | Promise<readonly T[]>,
  isMeant: (each: T) => boolean = () => true,
): Promise<void> {
  for await (const each of Symbol.asyncIterator in found ? found : await found)
    if (isMeant(each)) to.set(each.id, each);
}

async function addRecipients(reader: EnvironmentReader, { recipient, iban, isEmail, isName }: Marks, person: Growing) {
  const { recipients, payments, entries } = person;
  const ofAccount = (account: string, condition = 'true', ...values: readonly unknown[]) =>
    reader.where(
      RECIPIENTS,
      `t.bank_fingerprint = ANY ($2::text[]::bytea[]) AND ${condition}`,
      reader.fingerprintsOf(account),
      ...values,
    );
  if (recipient !== null) await add(recipients, reader.of(RECIPIENTS, 'id', [recipient]));
  else if (iban !== null) await add(recipients, ofAccount(iban));
  else await add(recipients, reader.all(RECIPIENTS, 'true'), ({ email }) => isEmail(email));
  if (iban !== null || isName !== never) {
    const ids: string[] = [];
    for await (const id of reader.formerly(iban, isName)) ids.push(id);
    await add(recipients, reader.of(RECIPIENTS, 'id', ids));
  }
  // Whom a refund goes to that names nobody is made of the payment, and whom money is returned to of its entry.
  const accounts = new Set([...payments.values()].flatMap(({ payerIban }) => payerIban ?? []));
  const isRefunded = `EXISTS (SELECT FROM payouts p WHERE p.recipient_id = t.id AND p.environment_id = t.environment_id
    AND p.refund_of = ANY ($3::uuid[]))`;
  const paid = [...payments.keys()].map(uuidOf);
  for (const account of accounts) await add(recipients, ofAccount(account, isRefunded, paid));
  const returns = [...entries.values()].flatMap(({ returnPayout }) => returnPayout ?? []);
  const payouts = await reader.of(PAYOUTS, 'id', returns);
  await add(
    recipients,
    reader.of(
      RECIPIENTS,
      'id',
      payouts.map((payout) => payout.recipient),
    ),
  );
}

async function addPayments(reader: EnvironmentReader, marks: Marks, person: Growing, refunded: readonly string[]) {
  const { links, payments, expected } = person;
  const { iban, isEmail, isName } = marks;
  const ofLinks = async () => {
    const ids = [...payments.values()].map(({ link }) => link);
    await add(
      links,
      reader.of(PAYMENT_LINKS, 'id', ids),
      ({ reusable, customerEmail }) => !reusable || isEmail(customerEmail),
    );
    await add(payments, reader.of(PAYMENTS, 'link_id', links.keys()));
  };
  await add(links, reader.all(PAYMENT_LINKS, 't.customer_email IS NOT NULL'), ({ customerEmail }) =>
    isEmail(customerEmail),
  );
  await add(payments, reader.of(PAYMENTS, 'id', refunded));
  const isPayer = ({ payerIban, payerName }: Payment) => (iban !== null && payerIban === iban) || isName(payerName);
  await add(payments, reader.all(PAYMENTS, 'num_nonnulls(t.payer_iban, t.payer_name) > 0'), isPayer);
  await add(expected, reader.all(EXPECTED_PAYMENTS, 't.payer_name IS NOT NULL'), ({ payerName }) => isName(payerName));
  await ofLinks();
}

/** Entries that name the person, with what they paid for; and those of what was found. */
async function addEntries(reader: EnvironmentReader, marks: Marks, person: Growing, payouts: Iterable<string>) {
  const { payments, expected, entries, details, transactions } = person;
  const places = new Set<string>([...payments.keys(), ...expected.keys(), ...payouts]);
  const paidFor: string[] = [];
  const isNamedIn = ({ name, account, text }: Pick<ExplainedTransaction, 'name' | 'account' | 'text'>): boolean =>
    (marks.iban !== null && account !== null && bare(account) === marks.iban) || marks.isName(name) || marks.isIn(text);
  const placesIn = (all: readonly ExplainedTransaction[]): readonly number[] =>
    all.flatMap((each, at) => (isNamedIn(each) || places.has(each.to ?? '') ? [at] : []));
  for await (const entry of reader.all(BANK_ENTRIES, "t.kind = 'entry'")) {
    const all = entry.explanation.details?.transactions ?? [];
    const theirs = placesIn(all);
    const isNamed = isNamedIn(entry.explanation);
    const tos = entry.assignments.map(({ to }) => to);
    paidFor.push(...(isNamed ? tos : theirs.flatMap((at) => all[at]?.to ?? [])));
    if (!isNamed && theirs.length === 0 && !tos.some((to) => places.has(to))) continue;
    entries.set(entry.id, entry);
    transactions.set(entry.id, theirs);
  }
  for await (const row of reader.all(BANK_DETAILS, 't.is_waiting')) {
    const theirs = placesIn(JSON.parse(row.content) as readonly ExplainedTransaction[]);
    if (theirs.length === 0) continue;
    details.set(row.id, row);
    transactions.set(row.id, theirs);
  }
  const named = (prefix: string) => paidFor.filter((id) => id.startsWith(prefix));
  await add(payments, reader.of(PAYMENTS, 'id', named('pay_')));
  await add(expected, reader.of(EXPECTED_PAYMENTS, 'id', named('xp_')));
}

/** In words, for messages. */
export const shownEnvironment = ({ merchant, livemode }: ServiceEnvironment): string =>
  `${merchant} ${livemode ? 'live' : 'sandbox'}`;
