/**
 * The same large statement file handed in four times at once, and a small one of another environment beside it. As a ZIP:
 * `src/server/bank-import.soak.test.ts`; with more than 16 MB of XML: `test/long/bank-import.test.ts`.
 */
import { type Application, type Holder, startApplication } from '../harness/application.ts';
import { eventually } from '../harness/eventually.ts';
import { BANK_ACCOUNT, must } from '../harness/tenant-fixture.ts';
import { camt } from './camt.ts';

const IBAN = 'DE89370400440532013000';
const LINES_AN_ENTRY = 14;
const COPIES = 4;

export interface Large {
  readonly file: Buffer;
  readonly type: 'application/xml' | 'application/zip';
}

export interface Outcome {
  /** Of the small file, when its import was answered. */
  readonly small: unknown;
  /** Whether the large one was imported before that. */
  readonly wasOver: boolean;
  /** How many documents the copies became. */
  readonly documents: number;
  /** Of the bank account of the large file, in minor units. */
  readonly balance: number | undefined;
  /** In the whole database. */
  readonly entries: unknown;
}

/** A statement of so many entries of one euro. `text`: 140 characters for each line, of which an entry has fourteen. */
export function statementOf(count: number, text: (line: number) => string = () => 'x'.repeat(140)): string {
  const entries = Array.from({ length: count }, (_, n) => ({
    amount: '1.00',
    reference: `BANK${n}`,
    details: [
      {
        name: 'Jan Novák',
        iban: 'AT611904300234573201',
        text: Array.from({ length: LINES_AN_ENTRY }, (_, line) => text(n * LINES_AN_ENTRY + line)),
      },
    ],
  }));
  return camt([{ iban: IBAN, day: '2026-11-20', opening: '0.00', closing: `${count}.00`, entries }]);
}

export async function importBeside(large: Large): Promise<Outcome> {
  const application = await startApplication();
  try {
    return await imported(application, large);
  } finally {
    await application.stop();
  }
}

async function imported(application: Application, large: Large): Promise<Outcome> {
  const { live, otherLive, sql } = application;
  for (const { client } of [live, otherLive]) must(await client.post('/v1/bank_accounts', BANK_ACCOUNT));
  const send = ({ client }: Holder, { file, type }: Large) =>
    client.send('POST', '/v1/statement_files', file, { 'content-type': type });
  let isOver = false;
  const handedIn = Promise.all(Array.from({ length: COPIES }, () => send(live, large))).finally(() => {
    isOver = true;
  });
  const file = Buffer.from(statementOf(3));
  const small = must(await send(otherLive, { file, type: 'application/xml' })).json['status'];
  const wasOver = isOver;

  const documents = new Set((await handedIn).map((reply) => must(reply).json['id'] as string));
  for (const document of documents) {
    const path = `/v1/statement_files/${document}`;
    const isImported = async () => must(await live.client.get(path)).json['status'] !== 'importing';
    await eventually('the large file is imported', isImported, { patienceMs: 300_000 });
  }
  const { json } = must(await live.client.get('/v1/bank_accounts'));
  const [bank] = json['data'] as readonly { readonly balance: number }[];
  const [row] = await sql("SELECT count(*)::int AS entries FROM bank_entries WHERE kind = 'entry'");
  return { small, wasOver, documents: documents.size, balance: bank?.balance, entries: row?.['entries'] };
}
