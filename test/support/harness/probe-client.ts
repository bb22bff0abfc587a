/**
 * Asking a server in this process any number of questions, and knowing afterwards that nothing was written: for tests of
 * everything that must be refused. Next: `application.ts`.
 */
import type { Application } from './application.ts';
import type { Json } from './http.ts';

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly json: Json;
}

export interface ProbeClient {
  /** With the key of the first sandbox. */
  send(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: string | Buffer, type?: string): Promise<Sent>;
  /** Counts of every table, and how far all events have come: the same text means that nothing was written. */
  written(): Promise<string>;
}

const TABLES = [
  'accounts',
  'transfers',
  'recipients',
  'recipient_versions',
  'quotes',
  'exchanges',
  'payouts',
  'payout_batches',
  'payment_links',
  'payments',
  'payment_tokens',
  'settings',
  'events',
  'webhook_endpoints',
  'deliveries',
  'webhook_replays',
  'idempotency_records',
];

export function probe(application: Application): ProbeClient {
  const authorization = `Bearer ${application.sandbox.key}`;
  return {
    async send(method, url, payload, type = 'application/json') {
      const headers = { authorization, ...(payload !== undefined && { 'content-type': type }) };
      const { status, text } = await application.inject({
        method,
        url,
        headers,
        ...(payload !== undefined && { payload }),
      });
      return { status, text, json: JSON.parse(text) as Json };
    },
    async written() {
      const counts = TABLES.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
      const sequence = '(SELECT sum(last_sequence) FROM environments) AS sequence';
      const rows = await application.sql(`SELECT ${counts.join(', ')}, ${sequence}`);
      return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    },
  };
}

/** The code of a refusal in the contract's words: 4xx, with every member there. Throws for anything else. */
export function refusalIn(sent: Sent, status = 400): string {
  const {
    type,
    code,
    message,
    doc_url: url,
    request_id: request,
  } = (sent.json['error'] ?? {}) as Record<string, unknown>;
  const right =
    sent.status === status &&
    /^[a-z_]+_error$/.test(String(type)) &&
    /^[a-z_]+$/.test(String(code)) &&
    String(message).length >= 10 &&
    /^https?:\/\/[^/]+\/docs\/errors#/.test(String(url)) &&
    String(url).endsWith(`#${String(code)}`) &&
    /^req_[0-9a-z]{26}$/.test(String(request));
  if (!right) throw new Error(`no refusal with ${status}: ${sent.status} ${sent.text.slice(0, 500)}`);
  return String(code);
}

/** A reply in one line: `200`, or status, code and parameter of a refusal, as in `400 amount_invalid amount`. */
export function outcome(reply: { readonly status: number; readonly json: Json }): string {
  const { code, param } = (reply.json['error'] ?? {}) as { code?: string; param?: string };
  return [reply.status, code, param].filter((part) => part !== undefined).join(' ');
}
