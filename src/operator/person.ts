/**
 * What is stored about one person: found by the id, the e-mail or the account of a recipient, in one merchant's environments. For the
 * command line, which exports it or erases it. Reads with the rights of the tables' owner, and opens what is sealed.
 */
import { uuidOf } from '../core/values/ids.ts';
import type { Row } from '../platform/db/wire/statement.ts';
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
    const [sql, value] = conditionOf(sought, environment.environmentId, recipients.fingerprintsOf);
    const rows = await run({
      text: `SELECT ${RECIPIENTS.columns('t')} FROM recipients t WHERE t.environment_id = $1 AND ${sql} ORDER BY t.id`,
      values: [uuidOf(environment.environmentId), value],
    });
    for (const row of rows) found.push({ environment, recipient: recipients.recipient.open(RECIPIENTS.read(row)) });
  }
  return found;
}

function conditionOf(
  sought: Sought,
  environmentId: string,
  fingerprintsOf: AtRest['recipients']['fingerprintsOf'],
): readonly [string, unknown] {
  if ('recipient' in sought) return ['t.id = $2', uuidOf(sought.recipient)];
  if ('email' in sought) return ['lower(t.email) = lower($2)', sought.email];
  return [
    't.bank_fingerprint = ANY ($2::text[]::bytea[])',
    fingerprintsOf(environmentId, { iban: ibanOf(sought.iban) }),
  ];
}

function ibanOf(text: string): string {
  const found = ibanToFind(text);
  if ('iban' in found) return found.iban;
  throw new SoughtInvalid(found.message);
}

/**
 * Everything about the person, as plain values for JSON: recipients with whole bank details and every earlier state, payouts and
 * standing orders to them, events about them; links that were sent to the e-mail, and payments from the account.
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
    const payouts = await rows(
      `SELECT ${PAYOUTS.columns('t')} FROM payouts t WHERE t.environment_id = $1 AND t.recipient_id = $2 ORDER BY t.id`,
    );
    const orders = await rows(
      `SELECT ${STANDING_ORDERS.columns('t')} FROM standing_orders t WHERE t.environment_id = $1 AND t.recipient_id = $2 ORDER BY t.id`,
    );
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
      payouts: payouts.map((row) => parsed(PAYOUT.render(PAYOUTS.read(row), livemode))),
      standing_orders: orders.map((row) => parsed(STANDING_ORDER.render(STANDING_ORDERS.read(row), livemode))),
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
      const rows = await run({
        text: `SELECT ${PAYMENT_LINKS.columns('t')} FROM payment_links t
          WHERE t.environment_id = $1 AND lower(t.customer_email) = lower($2) ORDER BY t.id`,
        values: [uuidOf(environmentId), sought.email],
      });
      for (const row of rows)
        links.push({
          ...about(environment),
          ...parsed(PAYMENT_LINK.render(link.open(PAYMENT_LINKS.read(row)), livemode)),
        });
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

const about = ({ merchant, livemode, environmentId }: ServiceEnvironment) => ({
  merchant,
  livemode,
  environment: environmentId,
});
const parsed = (json: string): object => JSON.parse(json) as object;
const instant = (atMs: unknown): string => new Date(atMs as number).toISOString();
const detailsText = (row: Row): string =>
  typeof row['bank_details'] === 'string' ? row['bank_details'] : JSON.stringify(row['bank_details']);

/** In words, for messages. */
export const shownEnvironment = ({ merchant, livemode }: ServiceEnvironment): string =>
  `${merchant} ${livemode ? 'live' : 'sandbox'}`;
