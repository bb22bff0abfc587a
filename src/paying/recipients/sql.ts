/**
 * The statements of recipients, set-based. Rows hold the whole bank details, sealed (`sealing.ts`): only `RECIPIENT.render` may
 * show a row, since it masks them.
 */
import { RECIPIENT, type Recipient } from './fields.ts';
import { wordsOfNames } from '../../core/values/words.ts';
import { assert } from '../../core/values/assert.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Condition } from '../../platform/db/wire/page.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { column, json, mutable, ofEnvironment, overRows, table, tableOf } from '../../platform/db/wire/table.ts';

/** Updates are heap-only unless the account changes: the only index beside the primary key is that of fingerprints. */
export const RECIPIENTS = tableOf(RECIPIENT, 'recipients', {
  bank_fingerprint: mutable('bytea', fingerprintOf),
  has_words: column('boolean', () => 'true'),
});

/** Recipients of an account (index recipients_fingerprint). `fingerprints`: all that may stand for it. */
export function ofFingerprints(fingerprints: readonly string[]): Condition {
  return { sql: 't.bank_fingerprint = ANY ($::text[]::bytea[])', value: fingerprints };
}

/** The oldest active recipient with an account; by the same index. */
export function oldestOf(environmentId: string, fingerprints: readonly string[]): Statement {
  return {
    name: 'oldest_recipient_of_account',
    text: `SELECT t.id FROM recipients t WHERE t.environment_id = $1 AND t.bank_fingerprint = ANY ($2::text[]::bytea[])
      AND t.status = 'active' ORDER BY t.id LIMIT 1`,
    values: [uuidOf(environmentId), fingerprints],
  };
}

/** Of one account. More than a few are in doubt anyway, whatever their names. */
const MOST_OF_ACCOUNT = 10;

/** Active recipients of accounts. Without an order, so that no plan walks the primary key for it (index recipients_fingerprint). */
export const loadOfAccounts = overRows<{ readonly environmentId: string; readonly fingerprint: string }>(
  'load_recipients_of_accounts',
  { environment_id: ofEnvironment, fingerprint: column('text', (each) => each.fingerprint) },
  (rows) => `SELECT ${RECIPIENTS.columns('t')} FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM recipients r WHERE r.environment_id = k.environment_id
        AND r.bank_fingerprint = k.fingerprint::bytea AND r.status = 'active' LIMIT ${MOST_OF_ACCOUNT}) AS t`,
);

/** What judges whether a recipient could be paid (primary key). */
export function judgesIn(environmentId: string): Statement {
  return {
    name: 'judges_in_environment',
    text: 'SELECT livemode, payout_rules, paying_banks FROM environments WHERE environment_id = $1',
    values: [uuidOf(environmentId)],
  };
}

/** Insert only: payouts name the version they were made with, so no version ever changes. */
export const RECIPIENT_VERSIONS = table<Recipient>('recipient_versions', {
  recipient_id: column('uuid', (recipient) => recipient.id),
  version: column('int4', (recipient) => recipient.version),
  name: column('text', (recipient) => recipient.name),
  type: column('text', (recipient) => recipient.type),
  currency: column('text', (recipient) => recipient.currency),
  country: column('text', (recipient) => recipient.country),
  address: column('jsonb', (recipient) => recipient.address && json(recipient.address)),
  latin_name: column('text', (recipient) => recipient.latinName),
  bank_details: column('jsonb', (recipient) => json(recipient.bankDetails)), // sealed by write/persist.ts
  created_at: column('timestamptz', versionedAt),
});

interface Named extends Pick<Recipient, 'id' | 'name' | 'latinName'> {
  readonly environmentId: string;
}

const insertWords = overRows<{ readonly environmentId: string; readonly word: string; readonly recipient: string }>(
  'insert_recipient_words',
  {
    environment_id: ofEnvironment,
    word: column('text', (each) => each.word),
    recipient_id: column('uuid', (each) => each.recipient),
  },
  (rows) => `INSERT INTO recipient_words (environment_id, word, recipient_id)
      SELECT v.environment_id, v.word, v.recipient_id FROM ${rows} AS v ON CONFLICT DO NOTHING`,
);

/** Adds the words of versions of recipients; those of former names stay. `null`: the names have no words. */
export function wordsOfVersions(versions: readonly Named[]): Statement | null {
  const rows = versions.flatMap(({ environmentId, id, name, latinName }) =>
    wordsOfNames([name, latinName]).map((word) => ({ environmentId, word, recipient: id })),
  );
  return rows.length === 0 ? null : insertWords(rows);
}

/** A word that begins so, as a condition on the column `word`, with `$` for the beginning (collation C, in which U+10FFFF is the last). */
const BEGINS = `>= $ AND w.word < $ || U&'\\+10FFFF'`;

/** Recipients with a word that begins so, now or in a former name (primary key of recipient_words). */
export function ofWord(begun: string): Condition {
  return {
    sql: `t.id IN (SELECT w.recipient_id FROM recipient_words w WHERE w.environment_id = t.environment_id AND w.word ${BEGINS})`,
    value: begun,
  };
}

/** That are shown of one recipient. */
export const MAX_VERSIONS = 100;
/** The newest versions of a recipient, newest first (primary key). */
export const newestVersions = (environmentId: string, recipient: string): Statement => ({
  name: 'newest_versions_of_recipient',
  text: `SELECT v.version, v.created_at, v.name, v.latin_name, v.bank_details::text, v.address::text FROM recipient_versions v
      WHERE v.environment_id = $1 AND v.recipient_id = $2
      ORDER BY v.environment_id DESC, v.recipient_id DESC, v.version DESC LIMIT ${MAX_VERSIONS}`,
  values: [uuidOf(environmentId), uuidOf(recipient)],
});

/** The sealed bank details of versions (primary key). */
export const loadVersionDetails = overRows<{
  readonly environmentId: string;
  readonly recipient: string;
  readonly version: number;
}>(
  'load_version_details',
  {
    environment_id: ofEnvironment,
    recipient_id: column('uuid', (each) => each.recipient),
    version: column('int4', (each) => each.version),
  },
  (rows) => `SELECT v.environment_id, v.recipient_id, v.version, v.bank_details FROM ${rows} AS k
      JOIN recipient_versions v ON v.environment_id = k.environment_id AND v.recipient_id = k.recipient_id AND v.version = k.version`,
);

/** Only a sealed recipient has one, so that no other is ever written. */
function fingerprintOf(recipient: Recipient): string | null {
  assert('bankFingerprint' in recipient, 'a recipient is sealed before it is written');
  return recipient.bankFingerprint as string | null;
}

/** When this version was made. A `FreshRecipient` carries the instant; the first version is as old as the recipient. */
function versionedAt(recipient: Recipient): number {
  const isFresh = 'versionedAt' in recipient && typeof recipient.versionedAt === 'number';
  return isFresh ? (recipient.versionedAt as number) : recipient.createdAt;
}
