/**
 * What is stored about one person, found by the id, the e-mail or the account of a recipient. Reads as the owner of the
 * tables, and opens what is sealed. For the command line, which exports or erases it.
 */
import { uuidOf } from '../core/values/ids.ts';
import type { Row } from '../platform/db/wire/statement.ts';
import type { Table } from '../platform/db/wire/table.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { PAYMENT, PAYMENT_LINK } from '../collecting/payments/fields.ts';
import { PAYMENT_LINKS, PAYMENTS } from '../collecting/payments/sql.ts';
import { PAYOUT } from '../paying/payouts/fields.ts';
import { PAYOUTS } from '../paying/payouts/sql.ts';
import { ibanToFind } from '../paying/recipients/bank-details.ts';
import { RECIPIENT, type Recipient } from '../paying/recipients/fields.ts';
import { RECIPIENTS } from '../paying/recipients/sql.ts';
import { STANDING_ORDER } from '../paying/standing-orders/fields.ts';
import { STANDING_ORDERS } from '../paying/standing-orders/sql.ts';
import type { AtRest } from '../write/at-rest.ts';
import type { ServiceEnvironment } from './audit.ts';

/** A person is found by one of these. */
export type Sought = { readonly recipient: string } | { readonly email: string } | { readonly iban: string };

/** What was asked for is no id, e-mail or IBAN. */
export class SoughtInvalid extends Error {}

export interface FoundRecipient {
  readonly environment: ServiceEnvironment;
  readonly recipient: Recipient;
}

/** E-mails are compared without regard to case. Rejects with {@link SoughtInvalid}. */
export async function findRecipients(
  run: Run,
  { recipients }: AtRest,
  environments: readonly ServiceEnvironment[],
  sought: Sought,
): Promise<FoundRecipient[]> {
  const found: FoundRecipient[] = [];
  for (const environment of environments) {
    const condition = conditionOf(sought, environment.environmentId, recipients.fingerprintsOf);
    for (const stored of await objectsIn(run, RECIPIENTS, environment, ...condition))
      found.push({ environment, recipient: recipients.recipient.open(stored) });
  }
  return found;
}

/** Objects of an environment. `condition`: over the table `t`, about `$2`. */
async function objectsIn<T>(
  run: Run,
  { name, columns, read }: Pick<Table<T>, 'name' | 'columns'> & { read(row: Row): T },
  { environmentId }: ServiceEnvironment,
  condition: string,
  value: unknown,
): Promise<readonly T[]> {
  const text = `SELECT ${columns('t')} FROM ${name} t WHERE t.environment_id = $1 AND ${condition} ORDER BY t.id`;
  return (await run({ text, values: [uuidOf(environmentId), value] })).map((row) => read(row));
}

function conditionOf(
  sought: Sought,
  environmentId: string,
  fingerprintsOf: AtRest['recipients']['fingerprintsOf'],
): readonly [string, unknown] {
  if ('recipient' in sought) return ['t.id = $2', uuidOf(sought.recipient)];
  if ('email' in sought) return ['lower(t.email) = lower($2)', sought.email];
  const prints = fingerprintsOf(environmentId, { iban: ibanOf(sought.iban) });
  return ['t.bank_fingerprint = ANY ($2::text[]::bytea[])', prints];
}

function ibanOf(text: string): string {
  const found = ibanToFind(text);
  if ('iban' in found) return found.iban;
  throw new SoughtInvalid(found.message);
}

/**
 * Everything about the person, for JSON: recipients with whole bank details and every earlier state, payouts, standing
 * orders and events; links sent to the e-mail, payments from the account.
 */
export async function exportPerson(
  run: Run,
  sealing: AtRest,
  environments: readonly ServiceEnvironment[],
  sought: Sought,
): Promise<object> {
  const found = await findRecipients(run, sealing, environments, sought);
  const recipients = [];
  for (const { environment, recipient } of found) {
    const { environmentId, livemode } = environment;
    const keys = [uuidOf(environmentId), uuidOf(recipient.id)];
    const rows = (text: string) => run({ text, values: keys });
    const versions = await rows(
      'SELECT * FROM recipient_versions WHERE environment_id = $1 AND recipient_id = $2 ORDER BY version',
    );
    const toRecipient = ['t.recipient_id = $2', keys[1]] as const;
    const payouts = await objectsIn(run, PAYOUTS, environment, ...toRecipient);
    const orders = await objectsIn(run, STANDING_ORDERS, environment, ...toRecipient);
    const events = await rows(
      'SELECT type, sequence::text, created_at, object, previous_attributes FROM events WHERE environment_id = $1 AND object_id = $2 ORDER BY sequence',
    );
    recipients.push({
      ...about(environment),
      ...parsed(RECIPIENT.render(recipient, livemode)),
      bank_details: recipient.bankDetails,
      versions: versions.map((row) => ({
        version: row['version'],
        created: instant(row['created_at']),
        name: row['name'],
        country: row['country'],
        address: row['address'],
        latin_name: row['latin_name'],
        bank_details: sealing.recipients.detailsOf(detailsText(row), recipient.id),
      })),
      payouts: payouts.map((payout) => parsed(PAYOUT.render(payout, livemode))),
      standing_orders: orders.map((order) => parsed(STANDING_ORDER.render(order, livemode))),
      events: events.map((row) => ({
        type: row['type'],
        sequence: Number(row['sequence']),
        created: instant(row['created_at']),
        object: parsed(row['object'] as string),
        previous_attributes: row['previous_attributes'] === null ? null : parsed(row['previous_attributes'] as string),
      })),
    });
  }
  return { sought, recipients, ...(await asPayer(run, sealing, environments, sought)) };
}

/** Payers are not kept as persons: the e-mail stands in links, and the account in payments, sealed and without an index. */
async function asPayer(run: Run, sealing: AtRest, environments: readonly ServiceEnvironment[], sought: Sought) {
  const links: object[] = [];
  const payments: object[] = [];
  const { link, payment } = sealing.payments;
  for (const environment of environments) {
    const { environmentId, livemode } = environment;
    if ('email' in sought) {
      const byEmail = ['lower(t.customer_email) = lower($2)', sought.email] as const;
      for (const stored of await objectsIn(run, PAYMENT_LINKS, environment, ...byEmail))
        links.push({ ...about(environment), ...parsed(PAYMENT_LINK.render(link.open(stored), livemode)) });
    }
    if ('iban' in sought) {
      const iban = ibanOf(sought.iban);
      for await (const row of paymentsWithPayer(run, environmentId)) {
        const opened = payment.open(PAYMENTS.read(row));
        if (opened.payerIban === iban)
          payments.push({ ...about(environment), ...parsed(PAYMENT.render(opened, livemode)) });
      }
    }
  }
  return { payment_links: links, payments };
}

const PAGE_ROWS = 1_000;

async function* paymentsWithPayer(run: Run, environmentId: string): AsyncGenerator<Row> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await run({
      text: `SELECT ${PAYMENTS.columns('t')} FROM payments t
        WHERE t.environment_id = $1 AND t.id > $2 AND t.payer_iban IS NOT NULL ORDER BY t.environment_id, t.id LIMIT ${PAGE_ROWS}`,
      values: [uuidOf(environmentId), after],
    });
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.['id'] as string;
  }
}

const about = ({ environmentId: environment, livemode, merchant }: ServiceEnvironment) => ({
  merchant,
  livemode,
  environment,
});
const parsed = (json: string): object => JSON.parse(json) as object;
const instant = (atMs: unknown): string => new Date(atMs as number).toISOString();
const detailsText = (row: Row): string =>
  typeof row['bank_details'] === 'string' ? row['bank_details'] : JSON.stringify(row['bank_details']);

/** In words, for messages. */
export const shownEnvironment = ({ merchant, livemode }: ServiceEnvironment): string =>
  `${merchant} ${livemode ? 'live' : 'sandbox'}`;
