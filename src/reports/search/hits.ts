/** How an object that was found is shown in a list of hits: what it is, and the line below. From its JSON as the caller is shown it. Pure. */
import { formatMoney } from '../../core/values/money.ts';

export const MATCHES = [
  'id',
  'request',
  'account',
  'reference',
  'amount',
  'external_id',
  'idempotency_key',
  'name',
  'recipient',
] as const;
/** By what it was found. `account`: its account number; `recipient`: the name of whom it pays. */
export type Matched = (typeof MATCHES)[number];

export type Shown = Readonly<Record<string, unknown>>;

export interface Hit {
  readonly object: string;
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | null;
  /** Minor units. */
  readonly amount: bigint | null;
  readonly currency: string | null;
  readonly status: string | null;
  readonly matched: Matched;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): bigint | null =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : null;
const inside = (value: unknown): Shown => (typeof value === 'object' && value !== null ? (value as Shown) : {});
const joined = (...parts: readonly (string | null)[]): string | null => {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.join(' · ');
};
const inWords = (name: string): string => {
  const words = name.replaceAll(/[_.]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

interface Lines {
  readonly title: string | null;
  readonly subtitle?: string | null;
  /** Where it is not `amount_minor` in `currency`. */
  readonly amount?: bigint | null;
  readonly currency?: string | null;
  readonly status?: string | null;
}

/** By kind. Others show what they are called, or what they are. */
const LINES: Readonly<Record<string, (object: Shown) => Lines>> = {
  payout: ({ destination, reference, external_id: ours }) => {
    const { name, last4 } = inside(destination);
    const ending = textOf(last4) === null ? null : `account ending in ${last4 as string}`;
    return { title: textOf(name), subtitle: joined(ending, textOf(reference), textOf(ours)) };
  },
  payout_batch: ({ external_id: ours, payouts_count: count }) => ({
    title: textOf(ours),
    subtitle: `${String(count)} ${count === 1 ? 'payout' : 'payouts'}`,
  }),
  recipient: ({ name, bank_details: details, country, currency }) => {
    const { iban, account_number: number, clabe } = inside(details);
    const last = textOf(iban ?? number ?? clabe)?.slice(-4) ?? null;
    return {
      title: textOf(name),
      subtitle: joined(textOf(country), textOf(currency), last && `account ending in ${last}`),
    };
  },
  account: ({ name, balance, currency }) => ({
    title: textOf(name) ?? `Account in ${String(currency)}`,
    subtitle: 'Balance',
    amount: numberOf(balance),
  }),
  transfer: ({ cause, description }) => ({ title: inWords(String(cause)), subtitle: textOf(description) }),
  exchange: (exchange) => soldFor(exchange),
  exchange_quote: (quote) => soldFor(quote),
  payment: ({ payer, payer_name: name, reference }) => ({
    title: textOf(name) ?? textOf(inside(payer)['name']),
    subtitle: textOf(reference),
  }),
  expected_payment: ({ payer_name: name, description, reference }) => ({
    title: textOf(description) ?? textOf(name),
    subtitle: textOf(reference),
  }),
  bank_entry: ({ counterparty, remittance, booked_on: day }) => ({
    title: textOf(inside(counterparty)['name']),
    subtitle: joined(textOf(day), textOf(inside(remittance)['text'])),
  }),
  payment_file: ({ message_id: message, execution_on: day, total_minor: total }) => ({
    title: textOf(message),
    subtitle: textOf(day),
    amount: numberOf(total),
  }),
  event: ({ type, data }) => ({ title: textOf(type), subtitle: textOf(inside(inside(data)['object'])['id']) }),
  delivery: ({ event_type: type, webhook_endpoint: endpoint }) => ({ title: textOf(type), subtitle: textOf(endpoint) }),
  webhook_endpoint: ({ url, description }) => {
    const address = textOf(url);
    return { title: address === null ? null : new URL(address).host, subtitle: textOf(description) };
  },
  key: ({ name, last4, prefix, revoked_at: revokedAt }) => ({
    title: textOf(name),
    subtitle: `${String(prefix)}…${String(last4)}`,
    status: revokedAt === null ? null : 'revoked',
  }),
  request_log: ({ method, path, code, status }) => ({
    title: `${String(method)} ${String(path)}`,
    subtitle: textOf(code),
    status: typeof status === 'number' ? String(status) : null,
  }),
};

function soldFor({
  sell_amount_minor: sold,
  sell_currency: from,
  buy_amount_minor: bought,
  buy_currency: to,
}: Shown): Lines {
  const [given, gotten] = [numberOf(sold), numberOf(bought)];
  if (given === null || gotten === null) return { title: null };
  return {
    title: `${formatMoney(given, String(from))} for ${formatMoney(gotten, String(to))}`,
    amount: given,
    currency: textOf(from),
  };
}

export function hitOf(object: Shown, matched: Matched): Hit {
  const kind = String(object['object']);
  const {
    title,
    subtitle = null,
    amount = numberOf(object['amount_minor']),
    currency = textOf(object['currency']),
    status = textOf(object['status']),
  } = LINES[kind]?.(object) ?? {
    title: textOf(object['name']) ?? textOf(object['description']),
    subtitle: textOf(object['reference']),
  };
  return {
    object: kind,
    id: String(object['id']),
    title: title ?? inWords(kind),
    subtitle,
    amount: currency === null ? null : amount,
    currency,
    status,
    matched,
  };
}
