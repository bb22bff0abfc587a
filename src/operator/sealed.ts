/**
 * Every text that is sealed under the server secret, and its column. What is missing here is lost with the previous
 * secret after a rotation (`reseal.ts`). Links, payments and bank details are sealed as objects: `seal-stored.ts`.
 */
import type { Prefix } from '../core/values/ids.ts';
import { paymentFileVault } from '../bank/payment-files/sealing.ts';
import { bankEntryVault } from '../bank/statements/sealing.ts';
import { newKeyBox, SEALED_MEMBER as SEALED_KEY } from '../tenancy/keys/keys.ts';
import type { ServerSecrets, Vault } from '../platform/vault/vault.ts';
import { SECRET } from '../write/idempotency.ts';
import { totpVault } from '../tenancy/sessions/sealing.ts';
import { headerBox, SEALED_MEMBER as SEALED_SIGNING_SECRET, secretBox } from '../events/webhooks/signature.ts';

export interface SealedPlace {
  readonly table: string;
  /** The column, and what it is written as. */
  readonly column: string;
  readonly type: 'text' | 'jsonb';
  /** The columns of the primary key with their types, in its order: rows are walked along it. The first is `environment_id`, but of people. */
  readonly key: Readonly<Record<string, 'uuid' | 'text' | 'int4' | 'int8'>>;
  /** SQL: which rows may hold sealed texts; the table is `t`. */
  readonly where: string;
  /** Finds sealed texts in the text of the column, as the first group; with the flag `g` all, else the first. */
  readonly sealed: RegExp;
  /** The id that they were sealed for: the column that holds it as uuid, and its prefix. */
  readonly about: { readonly column: string; readonly prefix: Prefix };
  /** The vault of their purpose. */
  readonly box: (secrets: ServerSecrets) => Vault;
}

const RECORDS = {
  table: 'idempotency_records',
  column: 'body',
  type: 'text',
  key: { environment_id: 'uuid', key: 'text' },
} as const;

/** A column of webhook endpoints with a list of sealed texts. */
const ofEndpoint = (column: string, box: SealedPlace['box']): SealedPlace => ({
  table: 'webhook_endpoints',
  column,
  type: 'jsonb',
  key: { environment_id: 'uuid', id: 'uuid' },
  where: `t.${column} <> '[]'`,
  sealed: /"sealed": ?"([^"]*)"/g,
  about: { column: 'id', prefix: 'we' },
  box,
});

/** A secret of an authenticator app. A person is in no environment, so only the row itself is locked. */
const ofPerson = (column: string): SealedPlace => ({
  table: 'person_credentials',
  column,
  type: 'text',
  key: { person_id: 'uuid' },
  where: `t.${column} LIKE 'v1.%'`,
  sealed: /^(v1\..*)$/s,
  about: { column: 'person_id', prefix: 'usr' },
  box: totpVault,
});

export const SEALED_PLACES: readonly SealedPlace[] = [
  ofEndpoint('secrets', secretBox),
  ofEndpoint('headers', headerBox),
  {
    table: 'bank_entries',
    column: 'explanation',
    type: 'jsonb',
    key: { environment_id: 'uuid', id: 'uuid' },
    where: `t.explanation ? 'sealed'`,
    sealed: /"sealed": ?"([^"]*)"/,
    about: { column: 'id', prefix: 'be' },
    box: bankEntryVault,
  },
  {
    table: 'bank_rules',
    column: 'iban',
    type: 'text',
    key: { environment_id: 'uuid', id: 'uuid' },
    where: `t.iban LIKE 'v1.%'`,
    sealed: /^(v1\..*)$/s,
    about: { column: 'id', prefix: 'br' },
    box: bankEntryVault,
  },
  {
    table: 'payment_file_contents',
    column: 'content',
    type: 'text',
    key: { environment_id: 'uuid', id: 'uuid' },
    where: `t.content LIKE 'v1.%'`,
    sealed: /^(v1\..*)$/s,
    about: { column: 'id', prefix: 'bfc' },
    box: paymentFileVault,
  },
  {
    table: 'bank_waiting_lines',
    column: 'content',
    type: 'text',
    key: { environment_id: 'uuid', id: 'uuid' },
    where: `t.content LIKE 'v1.%'`,
    sealed: /^(v1\..*)$/s,
    about: { column: 'id', prefix: 'bwl' },
    box: bankEntryVault,
  },
  {
    table: 'bank_entry_details',
    column: 'content',
    type: 'text',
    key: { environment_id: 'uuid', id: 'uuid' },
    where: `t.content LIKE 'v1.%'`,
    sealed: /^(v1\..*)$/s,
    about: { column: 'id', prefix: 'bed' },
    box: bankEntryVault,
  },
  ofPerson('totp_sealed'),
  ofPerson('totp_pending_sealed'),
  // Answers that are given again under their idempotency key.
  {
    ...RECORDS,
    where: `t.resource_prefix = 'we' AND t.body ~ '${SECRET}'`,
    sealed: SEALED_SIGNING_SECRET,
    about: { column: 'resource_id', prefix: 'we' },
    box: secretBox,
  },
  {
    ...RECORDS,
    where: `t.resource_prefix = 'key' AND t.body ~ '${SECRET}'`,
    sealed: SEALED_KEY,
    about: { column: 'resource_id', prefix: 'key' },
    box: newKeyBox,
  },
];
