/**
 * A kind of object that is stored is in every table: in those of the path by type (`slices.ts`, `core/state.ts`), in the others here. Whole
 * columns of sealed texts: `operator/reseal.test.ts`; tables of a backup come from the catalogue (`platform/backup/tables.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ReadSet } from '../core/read-set.ts';
import type { StoredKind } from '../core/objects.ts';
import type { Pipeline } from '../platform/db/wire/pipeline.ts';
import { atRest } from './at-rest.ts';
import { load } from './load.ts';
import { type Complete, TABLES } from './slices.ts';

// @ts-expect-error control: the compiler names the kind that is left out
export type Incomplete = Complete<Exclude<'account' | 'note', 'account'>, object>;

describe('what a read set names is read', () => {
  const ENVIRONMENT = 'env_01jd3v9q4ne8v8k3w2m6r5t7xa';
  const ANY = {
    environmentId: ENVIRONMENT,
    id: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
    bankAccount: 'ba_01jd3v9q4ne8v8k3w2m6r5t7xa',
    currency: 'EUR',
    externalId: 'x',
    key: 'x',
    session: 'x',
    sha256: 'x',
    identity: 'x',
    series: 'x',
    startsOn: null,
    closedOn: null,
    reference: 'RF18539007547034',
    mark: '00',
    details: { iban: 'DE02120300000000202051' },
  };
  /**
   * Who asks and where, which are no objects; how many accounts are closed, which is a count; families, what limits count, and what
   * waits, are found by what was loaded.
   */
  const NOT_READ = [
    'environmentId',
    'environments',
    'actors',
    'closes',
    'familiesOf',
    'limitsOf',
    'newDetails',
    'waitingOf',
  ];

  /** The names of the statements. There are no rows, so none depends on another. */
  async function statementsFor(fill: (set: Record<string, unknown>) => void): Promise<readonly string[]> {
    const names: string[] = [];
    const run: Pipeline['run'] = async (statement) => {
      names.push(statement.name ?? statement.text);
      return { rows: [], rowCount: 0 };
    };
    const set = new ReadSet();
    fill(set as unknown as Record<string, unknown>);
    const sealing = atRest({ current: 'a secret of a test, long enough: 012345', previous: [] });
    await load({ run, sync: () => undefined } as unknown as Pipeline, sealing, set).catch(() => undefined);
    return names;
  }
  const fields = Object.keys(new ReadSet()).filter((name) => !NOT_READ.includes(name));

  it('knows every field', () => expect(fields.length).toBeGreaterThan(25));
  it.each(fields)('%s', async (name) => {
    const none = await statementsFor(() => undefined);
    const some = await statementsFor((set) => {
      const field = set[name];
      if (Array.isArray(field)) field.push(ANY);
      else if (field instanceof Map) field.set('x', ANY);
      else (field as Set<string>).add(ENVIRONMENT);
    });
    expect(some.length).toBeGreaterThan(none.length);
  });
  it('control: a field that nobody knows is read by no statement', async () => {
    const none = await statementsFor(() => undefined);
    expect(await statementsFor((set) => (set['notes'] = [ANY]))).toEqual(none);
  });
});

describe('what is stored about persons is known', () => {
  const PERSONAL =
    /\bt\.(?:recipient_id|email|customer_email|payer_name|payer_iban|holder|iban|explanation|bank_details)\b/;
  /** `exported`: `bursar export person` finds it. Else why it does not. */
  const OF_PERSONS: { readonly [K in StoredKind]?: string } = {
    recipient: 'exported',
    payout: 'exported',
    standing_order: 'exported',
    payment_link: 'exported',
    payment: 'exported',
    expected_payment: 'exported',
    bank_entry: 'exported',
    bank_account: 'an account of the operator',
    user: 'exported',
    bank_rule: 'a rule of the operator, which names accounts of others',
  };
  const left = (known: { readonly [K in StoredKind]?: string }) =>
    (Object.keys(TABLES) as StoredKind[]).filter((kind) => PERSONAL.test(TABLES[kind].columns('t')) !== kind in known);

  it('every kind with such a column is on the list, and no other', () => expect(left(OF_PERSONS)).toEqual([]));
  it('control: flags one that is not, and one too many', () => {
    const { payout: _, ...others } = OF_PERSONS;
    expect(left(others)).toEqual(['payout']);
    expect(left({ ...OF_PERSONS, webhook_endpoint: 'exported' })).toEqual(['webhook_endpoint']);
  });
  it('the export reads those that it exports', () => {
    const source = ['person', 'person-export']
      .map((name) => readFileSync(new URL(`../operator/${name}.ts`, import.meta.url), 'utf8'))
      .join('\n');
    const exported = (Object.keys(OF_PERSONS) as StoredKind[]).filter((kind) => OF_PERSONS[kind] === 'exported');
    const reads = (name: string) => new RegExp(`\\breader\\.(?:of|all)\\(${name.toUpperCase()},`).test(source);
    expect(exported.filter((kind) => !reads(TABLES[kind].name))).toEqual([]);
  });
});

/** Columns of text, JSON and bytes: only these can hold what a person is called by. */
describe('what may hold words about a person is erased, or known not to be', () => {
  /** Each column once. `erased`: by `redact`; `kept`: why is said in docs/guides/privacy.md; `none`: holds no payee or payer. */
  const COLUMNS: Readonly<
    Record<string, { readonly erased?: string; readonly kept?: string; readonly none?: string }>
  > = {
    merchants: { none: 'name' },
    environments: { none: 'audit_hash payout_rules fees paying_banks fx' },
    settings: {
      none: 'name logo accent_color bank_accounts pending_bank_accounts metadata contact_email contact_phone address legal_url privacy_url',
    },
    api_keys: { none: 'hash name prefix last4 scopes accounts allowed_ips secret_id lineage' },
    people: { erased: 'email email_lower name', none: 'second_factor' },
    users: { erased: 'email name', none: 'roles let_in_by' },
    one_time_links: { none: 'hash kind' },
    person_credentials: { erased: 'password_hash totp_sealed totp_pending_sealed' },
    passkeys: { erased: 'name', none: 'id public_key transports rp_id' },
    sessions: { erased: 'ip user_agent', none: 'hash method stepped_up_by' },
    sign_in_challenges: { none: 'holder purpose challenge nonce approves' },
    approval_proofs: { none: 'challenge passkey_id nonce approves assertion used_for' },
    audit_log: { kept: 'details', none: 'action address subject previous_hash hash' },
    sealings: { none: 'name key_id' },
    accounts: { kept: 'name metadata', none: 'currency status waiting' },
    transfers: { kept: 'description metadata', none: 'currency cause' },
    recipients: {
      erased: 'name email bank_details metadata bank_fingerprint bank_summary address latin_name',
      none: 'type currency country status category_purpose purpose',
    },
    recipient_versions: { erased: 'name bank_details address latin_name', none: 'type currency country' },
    recipient_words: { erased: 'word' },
    payouts: {
      erased: 'destination bank_answer',
      kept: 'reference statement_descriptor external_id metadata',
      none: 'currency status failure_code release fees speed limit_shares changed_by reference_type category_purpose purpose',
    },
    payout_batches: { kept: 'metadata external_id', none: 'status mode rejected_items category_purpose purpose' },
    limit_usages: { kept: 'subject' },
    standing_orders: {
      kept: 'reference statement_descriptor metadata',
      none: 'currency status paused_reason canceled_reason interval_unit last_failure speed reference_type category_purpose purpose',
    },
    standing_order_runs: { none: 'status code message' },
    quotes: {
      none: 'sell_currency buy_currency fixed_side rate inverse_rate mid_market_rate rate_source metadata fees',
    },
    exchanges: {
      none: 'sell_currency buy_currency fixed_side rate inverse_rate mid_market_rate rate_source metadata fees',
    },
    fixings: { none: 'source currency base' },
    payment_links: {
      erased: 'customer_email redirect_url message metadata',
      kept: 'description reference',
      none: 'token url currency status ended_as',
    },
    payments: {
      erased: 'payer_name payer_iban metadata',
      kept: 'session',
      none: 'token reference method currency status failure_code fees',
    },
    payment_tokens: { none: 'token' },
    expected_payments: { erased: 'payer_name metadata', kept: 'description', none: 'currency status reference' },
    bank_accounts: {
      none: 'name currency country holder holder_address bank_details uses profile calendar holidays cut_off time_zone booked_by payee_check status metadata exports paid_by reversal_sign charges on_drift pending_change',
    },
    payment_files: {
      none: 'status route profile currency message_id sha256 reason bank_reason payee_check category_purpose',
    },
    payment_file_contents: { kept: 'content' },
    bank_instructions: { erased: 'reason_text', none: 'status answer reason early second_debits answers' },
    statement_files: { none: 'sha256 status notes' },
    bank_statements: {
      none: 'message reference sequence currency status proof identity series readings missing_entries added',
    },
    bank_waiting_lines: { kept: 'content' },
    bank_entry_details: {
      erased: 'content',
      none: 'message direction mark',
    },
    bank_entries: {
      erased: 'explanation',
      kept: 'assignments pending_change',
      none: 'kind direction currency status conflict identity',
    },
    bank_rules: { kept: 'name iban text_pattern', none: 'direction currency transaction_code target status' },
    events: { erased: 'object previous_attributes', kept: 'idempotency_key', none: 'type' },
    idempotency_records: { erased: 'fingerprint body', kept: 'key', none: 'resource_prefix' },
    webhook_endpoints: { none: 'url enabled_events description status disabled_reason secrets metadata headers' },
    deliveries: { erased: 'attempts', none: 'status traceparent' },
    webhook_replays: { none: 'which' },
    request_logs: {
      kept: 'idempotency_key',
      none: 'source method path route operation code resource ip user_agent request error',
    },
    worker_leases: { none: 'worker' },
    verifications: { none: 'damages' },
    daily_sums: { none: 'currency' },
  };
  const words = (text = '') => text.split(' ').filter((word) => word !== '');
  const TYPE = '(?:text|jsonb|bytea|text\\[\\])(?![\\w\\[])';

  /** `table.column` of migrations, in their order, by the names that both have in the end. */
  function columnsIn(migrations: readonly string[]): readonly string[] {
    const renamed = migrations.flatMap((sql) => [...sql.matchAll(/^ALTER TABLE (\w+) RENAME TO (\w+);/gm)]);
    const names = new Map(renamed.map(([, from = '', to = '']) => [from, to]));
    const named = migrations.flatMap((sql) => [
      ...[...sql.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)\n\)(?:;| WITH| PARTITION)/gms)].flatMap(
        ([, table = '', body = '']) =>
          [...body.matchAll(new RegExp(`^  (\\w+) ${TYPE}`, 'gm'))].map(([, column]) => `${table}.${column}`),
      ),
      ...[...sql.matchAll(/^ALTER TABLE (\w+)(.*?);/gms)].flatMap(([, table = '', body = '']) =>
        [...body.matchAll(new RegExp(`ADD COLUMN (?:IF NOT EXISTS )?(\\w+) ${TYPE}`, 'g'))].map(
          ([, column]) => `${table}.${column}`,
        ),
      ),
    ]);
    const moved = migrations.flatMap((sql) => [...sql.matchAll(/^ALTER TABLE (\w+) RENAME COLUMN (\w+) TO (\w+);/gm)]);
    const columns = new Map(moved.map(([, table, from, to]) => [`${table}.${from}`, `${table}.${to}`]));
    const dropped = migrations.flatMap((sql) =>
      [...sql.matchAll(/^ALTER TABLE (\w+)(.*?);/gms)].flatMap(([, table = '', body = '']) =>
        [...body.matchAll(/DROP COLUMN (\w+)/g)].map(([, column]) => `${table}.${column}`),
      ),
    );
    return named
      .map((each) => each.replace(/^\w+/, (table) => names.get(table) ?? table))
      .map((each) => columns.get(each) ?? each)
      .filter((each) => !dropped.includes(each));
  }
  const folder = new URL('../../migrations/', import.meta.url);
  const MIGRATIONS = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const known = Object.entries(COLUMNS).flatMap(([table, { erased, kept, none }]) =>
    [erased, kept, none].flatMap(words).map((column) => `${table}.${column}`),
  );
  const unknown = (migrations: readonly string[]) => columnsIn(migrations).filter((each) => !known.includes(each));

  it('every column is on the list, and no other', () => {
    expect(unknown(MIGRATIONS)).toEqual([]);
    expect(known.filter((each) => !columnsIn(MIGRATIONS).includes(each))).toEqual([]);
  });
  it('control: flags a new table, and a new column', () => {
    const table = 'CREATE TABLE notes (\n  id uuid NOT NULL,\n  about text NOT NULL,\n  sealed bytea\n);\n';
    const column = 'ALTER TABLE payments\n  ADD COLUMN age int,\n  ADD COLUMN payer_phone text;\n';
    expect(unknown([...MIGRATIONS, table, column])).toEqual(['notes.about', 'notes.sealed', 'payments.payer_phone']);
  });
  it('the page for operators names what is erased and what is kept, each in its row', () => {
    const page = readFileSync(new URL('../../docs/guides/privacy.md', import.meta.url), 'utf8');
    const rows = new Map(
      [...page.matchAll(/^\| `(\w+)` \|([^|]*)\|([^|]*)\|/gm)].map(([, table = '', ...cells]) => [table, cells]),
    );
    const named = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, column]) => column);
    const about = Object.entries(COLUMNS).filter(([, { erased, kept }]) => erased !== undefined || kept !== undefined);
    const shown = about.map(([table]) => [table, ...(rows.get(table) ?? []).map(named)]);
    expect(shown).toEqual(about.map(([table, { erased, kept }]) => [table, words(erased), words(kept)]));
  });
});
