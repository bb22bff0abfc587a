/** All that is stored about a person, for JSON: whole account numbers, every earlier state, and events. Who calls this: `cli/person.ts`. */
import { idOf, uuidOf } from '../core/values/ids.ts';
import { BANK_ENTRY, type BankEntry } from '../bank/statements/fields.ts';
import { EXPECTED_PAYMENT, PAYMENT, PAYMENT_LINK } from '../collecting/payments/fields.ts';
import { PAYOUT } from '../paying/payouts/fields.ts';
import { PAYOUTS } from '../paying/payouts/sql.ts';
import { RECIPIENT, type Recipient } from '../paying/recipients/fields.ts';
import { STANDING_ORDER } from '../paying/standing-orders/fields.ts';
import { STANDING_ORDERS } from '../paying/standing-orders/sql.ts';
import type { Row } from '../platform/db/wire/statement.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { USER } from '../tenancy/people/fields.ts';
import type { AtRest } from '../write/at-rest.ts';
import type { ServiceEnvironment } from './audit.ts';
import { EnvironmentReader, findPerson, type Person, type Sought } from './person.ts';

/** Rejects with `SoughtInvalid`. */
export async function exportPerson(
  run: Run,
  sealing: AtRest,
  environments: readonly ServiceEnvironment[],
  sought: Sought,
): Promise<object> {
  const all: Exported = {
    recipients: [],
    payment_links: [],
    payments: [],
    expected_payments: [],
    bank_entries: [],
    bank_entry_details: [],
    users: [],
  };
  for (const person of await findPerson(run, sealing, environments, sought)) await addTo(all, person, run, sealing);
  return { sought, ...all };
}

type Exported = Readonly<
  Record<
    'recipients' | 'payment_links' | 'payments' | 'expected_payments' | 'bank_entries' | 'bank_entry_details' | 'users',
    object[]
  >
>;

async function addTo(all: Exported, person: Person, run: Run, sealing: AtRest): Promise<void> {
  const { environment } = person;
  const { livemode, environmentId, merchant } = environment;
  const eventsOf = (id: string) => eventsAbout(run, sealing, environmentId, id);
  const shown = async (json: string, id: string, more: object = {}) => ({
    merchant,
    livemode,
    environment: environmentId,
    ...parsed(json),
    ...more,
    events: await eventsOf(id),
  });
  for (const recipient of person.recipients.values()) {
    const more = await ofRecipient(new EnvironmentReader(run, sealing, environment), run, sealing, recipient);
    all.recipients.push(await shown(RECIPIENT.render(recipient, livemode), recipient.id, more));
  }
  for (const link of person.links.values())
    all.payment_links.push(await shown(PAYMENT_LINK.render(link, livemode), link.id));
  for (const payment of person.payments.values()) {
    const payer = { name: payment.payerName, iban: payment.payerIban };
    all.payments.push(await shown(PAYMENT.render(payment, livemode), payment.id, { payer }));
  }
  for (const expected of person.expected.values())
    all.expected_payments.push(await shown(EXPECTED_PAYMENT.render(expected, livemode), expected.id));
  for (const entry of person.entries.values()) {
    const { name, account } = entry.explanation;
    const more = { counterparty: { name, account } };
    const whole = await shown(BANK_ENTRY.render(entry, livemode), entry.id, more);
    all.bank_entries.push(withOwnTransactions(whole as object, person.transactions.get(entry.id) ?? [], entry));
  }
  for (const user of person.users.values()) {
    const { invitedEmail, personName } = user;
    const more = { invited_as: invitedEmail, calls_itself: personName };
    all.users.push(await shown(USER.render(user, livemode), user.id, more));
  }
  for (const { id, bookedOn, content } of person.details.values()) {
    const theirs = person.transactions.get(id) ?? [];
    const transactions = (JSON.parse(content) as readonly object[]).filter((_, at) => theirs.includes(at));
    all.bank_entry_details.push({
      merchant,
      livemode,
      environment: environmentId,
      id,
      booked_on: bookedOn,
      transactions,
    });
  }
}

interface WithTransactions {
  readonly transactions?: readonly object[];
  readonly events?: readonly { readonly object: WithTransactions }[];
}

/** An entry, and its events, without what others paid in it; with whole account numbers. */
function withOwnTransactions(entry: WithTransactions, theirs: readonly number[], { explanation }: BankEntry): object {
  const own = ({ transactions, ...rest }: WithTransactions) =>
    transactions === undefined ? rest : { ...rest, transactions: transactions.filter((_, at) => theirs.includes(at)) };
  const all = explanation.details?.transactions ?? [];
  const transactions = (entry.transactions ?? []).map((each, at) => ({
    ...each,
    counterparty: { name: all[at]?.name, account: all[at]?.account },
  }));
  const events = (entry.events ?? []).map((event) => ({ ...event, object: own(event.object) }));
  return own({ ...entry, transactions, events });
}

async function ofRecipient(reader: EnvironmentReader, run: Run, sealing: AtRest, { id, bankDetails }: Recipient) {
  const { environmentId, livemode } = reader.environment;
  const versions = await run({
    text: 'SELECT * FROM recipient_versions WHERE environment_id = $1 AND recipient_id = $2 ORDER BY version',
    values: [uuidOf(environmentId), uuidOf(id)],
  });
  const payouts: object[] = [];
  for (const payout of await reader.of(PAYOUTS, 'recipient_id', [id]))
    payouts.push(parsed(PAYOUT.render(payout, livemode)));
  const orders: object[] = [];
  for (const order of await reader.of(STANDING_ORDERS, 'recipient_id', [id]))
    orders.push({
      ...parsed(STANDING_ORDER.render(order, livemode)),
      events: await eventsAbout(run, sealing, environmentId, order.id),
    });
  return {
    bank_details: bankDetails,
    versions: versions.map((row) => ({
      version: row['version'],
      created: instant(row['created_at']),
      name: row['name'],
      country: row['country'],
      address: row['address'],
      latin_name: row['latin_name'],
      bank_details: sealing.recipients.detailsOf(detailsText(row), id),
    })),
    payouts,
    standing_orders: orders,
  };
}

async function eventsAbout(run: Run, { payments }: AtRest, environmentId: string, id: string): Promise<object[]> {
  const rows = await run({
    text: 'SELECT id, type, sequence::text, created_at, object, previous_attributes FROM events WHERE environment_id = $1 AND object_id = $2 ORDER BY sequence',
    values: [uuidOf(environmentId), uuidOf(id)],
  });
  return rows.map((row) => ({
    id: idOf('evt', row['id'] as string),
    type: row['type'],
    sequence: Number(row['sequence']),
    created: instant(row['created_at']),
    object: parsed(payments.json.open(row['object'] as string)),
    previous_attributes: row['previous_attributes'] === null ? null : parsed(row['previous_attributes'] as string),
  }));
}

const parsed = (json: string): object => JSON.parse(json) as object;
const instant = (atMs: unknown): string => new Date(atMs as number).toISOString();
const detailsText = (row: Row): string =>
  typeof row['bank_details'] === 'string' ? row['bank_details'] : JSON.stringify(row['bank_details']);
