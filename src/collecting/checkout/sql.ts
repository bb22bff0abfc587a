/** The statements of the hosted page: what a token opens, in one read by primary keys. They run on the readers. */
import type { Address } from '../../core/address.ts';
import { collectingIn, companyName } from '../../core/company.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { CollectionAccount, Metadata } from '../../core/objects.ts';
import type { PaymentSeals } from '../payments/sealing.ts';
import { PAYMENT_LINKS, PAYMENTS } from '../payments/sql.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';

/**
 * A payment's token opens that payment; that of a link for one payment the payment that was begun: of several one that
 * has money, else one that waits, else one that failed or was refunded early. Where payers choose the amount, one without
 * money is shown on its own page alone. That of a reusable link opens the link alone. `lookUps`: all that may stand for the
 * token. `OFFSET 0`: the payment is chosen once, and not once a payment of the environment, where the planner does not know
 * yet that a stranger has started thousands.
 */
export const openToken = (lookUps: readonly string[]): Statement => ({
  name: 'open_payment_token',
  text: `SELECT t.environment_id, v.livemode, v.clock_offset_ms, now() AS now, ${companyName('s', 'm', 'v')} AS merchant,
        s.logo IS NOT NULL AS has_logo, s.accent_color, s.contact_email, s.contact_phone, s.address::text AS address, s.legal_url, s.privacy_url, coalesce(c.account, s.bank_accounts -> l.currency)::text AS bank,
        ${PAYMENT_LINKS.columns('l', 'link_')}, ${PAYMENTS.columns('p', 'payment_')},
        (SELECT coalesce(sum(d.received - d.refunded), 0)::int8 FROM payments d
          WHERE d.environment_id = l.environment_id AND d.link_id = l.id AND d.duplicate_of = p.id) AS duplicates
      FROM payment_tokens t
      JOIN environments v ON v.environment_id = t.environment_id
      JOIN merchants m ON m.id = v.merchant_id
      JOIN payment_links l ON l.environment_id = t.environment_id AND l.id = t.link_id
      LEFT JOIN settings s ON s.environment_id = t.environment_id AND s.id = t.environment_id
      LEFT JOIN LATERAL (${collectingIn('l.environment_id', 'l.currency')}) AS c ON true
      CROSS JOIN LATERAL (SELECT coalesce(t.payment_id,
        (SELECT q.id FROM payments q WHERE NOT l.reusable AND q.environment_id = t.environment_id AND q.link_id = t.link_id
          AND q.duplicate_of IS NULL AND (l.amount IS NOT NULL OR q.received > 0) ORDER BY q.received = 0 OR (q.refund_id IS NOT NULL AND q.received < q.amount),
          q.status = 'failed', q.id DESC LIMIT 1)) AS id OFFSET 0) AS shown
      LEFT JOIN LATERAL (SELECT * FROM payments p WHERE p.environment_id = t.environment_id AND p.id = shown.id LIMIT 1) AS p ON true
      WHERE t.token = ANY ($1::text[]) LIMIT 1`,
  values: [lookUps],
});

/** What a token opened: the link, and the payment the page is about. */
export type Opened = Readonly<ReturnType<typeof openedFrom>>;

export function openedFrom(row: Row, seals: PaymentSeals) {
  return {
    environmentId: idOf('env', row['environment_id'] as string),
    livemode: row['livemode'] as boolean,
    /** Environment clock. */
    nowMs: (row['now'] as number) + Number(row['clock_offset_ms']),
    merchant: row['merchant'] as string,
    hasLogo: row['has_logo'] as boolean,
    accent: row['accent_color'] as string | null,
    company: {
      email: row['contact_email'] as string | null,
      phone: row['contact_phone'] as string | null,
      address: row['address'] === null ? null : (JSON.parse(row['address'] as string) as Address),
      legalUrl: row['legal_url'] as string | null,
      privacyUrl: row['privacy_url'] as string | null,
    },
    /** The bank account that takes collections in the link's currency; else what the settings still have for it. */
    bank: row['bank'] === null ? null : (JSON.parse(row['bank'] as string) as CollectionAccount),
    link: forStrangers(seals.link.open(PAYMENT_LINKS.read(row, 'link_'))),
    /** `duplicates`: minor units that came as duplicates and were not refunded. */
    payment:
      row['payment_id'] === null
        ? null
        : {
            ...forStrangers(seals.payment.open(PAYMENTS.read(row, 'payment_'))),
            duplicates: row['duplicates'] as bigint,
          },
  };
}

/** Metadata is the merchant's own. Pages are for whoever has the address, so they do not get hold of it. */
function forStrangers<T extends { readonly metadata: Metadata }>(stored: T): Omit<T, 'metadata'> {
  const { metadata: _, ...shown } = stored;
  return shown;
}

/** The logo of the environment that a token belongs to, as base64. */
export const logoOf = (lookUps: readonly string[]): Statement => ({
  name: 'payment_page_logo',
  text: `SELECT s.logo FROM payment_tokens t
      JOIN settings s ON s.environment_id = t.environment_id AND s.id = t.environment_id WHERE t.token = ANY ($1::text[]) LIMIT 1`,
  values: [lookUps],
});

/** The currency of a payment, to compare with an acquirer's. No row: no such payment. */
export const currencyOfPayment = (environmentId: string, paymentId: string): Statement => ({
  name: 'currency_of_payment',
  text: 'SELECT currency FROM payments WHERE environment_id = $1 AND id = $2',
  values: [uuidOf(environmentId), uuidOf(paymentId)],
});
