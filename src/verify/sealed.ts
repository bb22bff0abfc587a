/**
 * The checks of what is sealed: no clear text stands where a sealed one belongs, and payment files have their bytes. How
 * sealed texts begin is written down a second time (the first: `platform/vault/vault.ts`). With the others: `verify.ts`.
 */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { idOf } from '../core/values/ids.ts';
import { broken, checks, rowOf, type Run } from './check.ts';

/** Opens the stored bytes of a payment file for its id (`bfc_…`); throws where it cannot. */
export type OpenFile = (stored: string, id: string) => string;

/** A column whose texts are sealed; the table is `t`. */
interface SealedColumn {
  readonly table: string;
  readonly of: ReturnType<typeof rowOf>;
  readonly column: string;
  /** SQL: the texts, each a row with the column `text`. */
  readonly texts: string;
  /** SQL: which rows have one. */
  readonly where?: string;
  /** Whether rows were clear once; then `sealings` says whether that is over. */
  readonly wasClear?: true;
}

/** The address of a page as JSON of a link has it, before all texts of the merchant; a token at its end is clear. */
const tokenIn = (json: string): string => `(SELECT substring(${json} FROM '"url":"[^"]*/([0-9A-Za-z]{24})"') AS text
        WHERE substring(${json} FROM '"url":"([^"]*)"') ~ '/[0-9A-Za-z]{24}$')`;
const one = (text: string): string => `(SELECT ${text} AS text)`;
const LINK_EVENTS = "t.type LIKE 'payment\\_link.%'";

const COLUMNS: readonly SealedColumn[] = [
  {
    table: 'recipients',
    of: rowOf('t', 'rcp'),
    column: 'bank_details',
    texts: one("t.bank_details ->> 'sealed'"),
    wasClear: true,
  },
  {
    table: 'recipient_versions',
    of: { ...rowOf('t', 'rcp'), id: 't.recipient_id' },
    column: 'bank_details',
    texts: one("t.bank_details ->> 'sealed'"),
    wasClear: true,
  },
  { table: 'payment_links', of: rowOf('t', 'plink'), column: 'token', texts: one('t.token'), wasClear: true },
  {
    table: 'payments',
    of: rowOf('t', 'pay'),
    column: 'token',
    texts: one('t.token'),
    where: 't.token IS NOT NULL',
    wasClear: true,
  },
  {
    table: 'payments',
    of: rowOf('t', 'pay'),
    column: 'payer_iban',
    texts: one('t.payer_iban'),
    where: 't.payer_iban IS NOT NULL',
    wasClear: true,
  },
  {
    table: 'events',
    of: rowOf('t', 'evt'),
    column: 'object',
    texts: tokenIn('t.object'),
    where: LINK_EVENTS,
    wasClear: true,
  },
  {
    table: 'idempotency_records',
    of: { ...rowOf('t', 'plink'), id: 't.resource_id' },
    column: 'body',
    texts: tokenIn('t.body'),
    where: "t.resource_prefix = 'plink' AND t.body IS NOT NULL",
    wasClear: true,
  },
  { table: 'bank_entries', of: rowOf('t', 'be'), column: 'explanation', texts: one("t.explanation ->> 'sealed'") },
  { table: 'bank_rules', of: rowOf('t', 'br'), column: 'iban', texts: one('t.iban'), where: 't.iban IS NOT NULL' },
  { table: 'payment_file_contents', of: rowOf('t', 'pf'), column: 'content', texts: one('t.content') },
  { table: 'bank_waiting_lines', of: rowOf('t', 'bwl'), column: 'content', texts: one('t.content') },
  { table: 'bank_entry_details', of: rowOf('t', 'bed'), column: 'content', texts: one('t.content') },
  {
    table: 'webhook_endpoints',
    of: rowOf('t', 'we'),
    column: 'secrets',
    texts: "(SELECT s ->> 'sealed' AS text FROM jsonb_array_elements(t.secrets) AS s)",
  },
  {
    table: 'webhook_endpoints',
    of: rowOf('t', 'we'),
    column: 'headers',
    texts: "(SELECT h ->> 'sealed' AS text FROM jsonb_array_elements(t.headers) AS h)",
  },
];

const clearIn = ({ table, of, column, texts, where = 'true', wasClear }: SealedColumn): string =>
  `SELECT ${broken({ ...of, name: `'${table}.${column}'`, expected: "'a sealed text'", found: "'clear text'" })}
      FROM ${table} t CROSS JOIN LATERAL ${texts} AS x
      WHERE ${where} AND coalesce(x.text, '') !~ '^v1\\.[0-9a-f]{8}\\.'${wasClear ? ` AND EXISTS (SELECT FROM sealings WHERE name = '${table}')` : ''}`;

export const SEALED_CHECKS = checks('sealed_text', {
  'where texts are sealed, none is clear': COLUMNS.map(clearIn).join('\n      UNION ALL '),
});

export interface ChangedFile {
  /** A uuid. */
  readonly environment: string;
  /** `pf_…` */
  readonly file: string;
  readonly expected: string;
  readonly found: string;
}

/** Files that are in memory at once. */
const PAGE_FILES = 5;
const FILES = `SELECT f.environment_id, f.id, f.sha256, t.content FROM payment_files f
  JOIN payment_file_contents t ON t.environment_id = f.environment_id AND t.id = f.id
  WHERE (f.environment_id, f.id) > ($1::uuid, $2::uuid) ORDER BY f.environment_id, f.id LIMIT ${PAGE_FILES}`;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The payment files whose bytes do not open, or are not those of their hash. */
export async function* changedFiles(run: Run, open: OpenFile): AsyncGenerator<ChangedFile> {
  for (let after = [FIRST, FIRST]; ; ) {
    const rows = (await run(FILES, after)) as readonly Readonly<Record<string, string>>[];
    for (const row of rows) {
      const [environment, uuid, sha256] = [row['environment_id'], row['id'], row['sha256']] as [string, string, string];
      const found = await hashIn(row['content'] as string, idOf('bfc', uuid), open);
      if (found === sha256) continue;
      const expected = `bytes of SHA-256 ${sha256}`;
      yield { environment, file: idOf('pf', uuid), expected, found: found ?? 'bytes that cannot be opened' };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_FILES) return;
    after = [last['environment_id'] as string, last['id'] as string];
  }
}

async function hashIn(stored: string, id: string, open: OpenFile): Promise<string | null> {
  try {
    return hash('sha256', await promisify(gunzip)(Buffer.from(open(stored, id), 'base64')), 'hex');
  } catch {
    return null;
  }
}
