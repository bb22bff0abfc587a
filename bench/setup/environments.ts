/**
 * Environments for the contestants, written by plain SQL: merchants, keys, accounts, a recipient each, and money from
 * the bank's house account by real transfers, so that the books of a benchmark verify like any other.
 */
import type pg from 'pg';
import { idSource, newId, uuidOf } from '../../src/core/values/ids.ts';
import { houseAccount } from '../../src/core/house-accounts.ts';
import { generateKey, hashKey } from '../../src/tenancy/keys/key.ts';

/** Of no value: the benchmark's databases live as long as it runs. */
export const SECRET = 'bench-secret-bench-secret-bench-secret';
/** Minor units on every account: ten billion payouts of 1.00. */
export const FUNDS = 1_000_000_000_000n;
const BANK_DETAILS = JSON.stringify({ iban: 'DE89370400440532013000' });

export interface Tenant {
  readonly environmentId: string;
  readonly key: string;
  /** Paid in EUR. */
  readonly recipient: string;
  readonly accounts: readonly string[];
}

export interface TenantSpec {
  /** Unique in its database. */
  readonly merchant: string;
  readonly livemode: boolean;
  /** One account each, funded. */
  readonly currencies: readonly string[];
}

interface Account {
  readonly environmentId: string;
  readonly id: string;
  readonly currency: string;
}

/** Adds tenants to a migrated database, in one transaction. */
export async function addTenants(client: pg.Client, specs: readonly TenantSpec[]): Promise<readonly Tenant[]> {
  // Of one source, so that no two accounts have one deposit reference.
  const ids = idSource(Date.now());
  const made = specs.map(({ livemode, currencies, merchant }) => {
    const environmentId = newId('env');
    const key = generateKey(livemode ? 'sk_live_' : 'sk_test_');
    const accounts = currencies.map((currency): Account => ({ environmentId, id: ids.next('acct'), currency }));
    return { merchant, livemode, merchantId: newId('env'), environmentId, key, accounts, recipient: newId('rcp') };
  });
  const accounts = made.flatMap((tenant) => tenant.accounts);
  const each = <T>(value: (tenant: (typeof made)[number]) => T) => made.map(value);
  await client.query('BEGIN');
  await client.query('INSERT INTO merchants (id, name) SELECT * FROM unnest($1::uuid[], $2::text[])', [
    each((tenant) => uuidOf(tenant.merchantId)),
    each((tenant) => tenant.merchant),
  ]);
  await client.query(
    'INSERT INTO environments (environment_id, merchant_id, livemode) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bool[])',
    [
      each((tenant) => uuidOf(tenant.environmentId)),
      each((tenant) => uuidOf(tenant.merchantId)),
      each((tenant) => tenant.livemode),
    ],
  );
  const keys = made.map(() => newId('key'));
  await client.query(
    `INSERT INTO api_keys (hash, id, lineage, environment_id, name, prefix, last4)
     SELECT hash, id, ARRAY[line], environment_id, 'bench', prefix, last4
     FROM unnest($1::bytea[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[])
       AS v (hash, id, line, environment_id, prefix, last4)`,
    [
      each((tenant) => hashKey(SECRET, tenant.key)),
      keys.map(uuidOf),
      keys,
      each((tenant) => uuidOf(tenant.environmentId)),
      each((tenant) => tenant.key.slice(0, 8)),
      each((tenant) => tenant.key.slice(-4)),
    ],
  );
  await addRecipients(client, made);
  await addFundedAccounts(client, accounts);
  await client.query('COMMIT');
  return made.map((tenant) => ({ ...tenant, accounts: tenant.accounts.map((account) => account.id) }));
}

async function addRecipients(
  client: pg.Client,
  tenants: readonly { readonly environmentId: string; readonly recipient: string }[],
): Promise<void> {
  const values = [
    tenants.map((tenant) => uuidOf(tenant.environmentId)),
    tenants.map((tenant) => uuidOf(tenant.recipient)),
    BANK_DETAILS,
  ];
  const source = 'unnest($1::uuid[], $2::uuid[]) AS v (environment_id, id)';
  await client.query(
    `INSERT INTO recipients (environment_id, id, version, name, type, currency, country, bank_details, status, created_at)
     SELECT environment_id, id, 1, 'Ada Lovelace', 'individual', 'EUR', 'DE', $3::jsonb, 'active', now() FROM ${source}`,
    values,
  );
  await client.query(
    `INSERT INTO recipient_versions (environment_id, recipient_id, version, name, type, currency, country, bank_details, created_at)
     SELECT environment_id, id, 1, 'Ada Lovelace', 'individual', 'EUR', 'DE', $3::jsonb, now() FROM ${source}`,
    values,
  );
}

async function addFundedAccounts(client: pg.Client, accounts: readonly Account[]): Promise<void> {
  const environments = accounts.map((account) => uuidOf(account.environmentId));
  const ids = accounts.map((account) => uuidOf(account.id));
  const currencies = accounts.map((account) => account.currency);
  await client.query(
    `INSERT INTO accounts (environment_id, id, currency, balance, status, created_at)
     SELECT e, i, c, $4, 'open', now() FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS v (e, i, c)`,
    [environments, ids, currencies, FUNDS],
  );
  await client.query(
    `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, credit_balance_after, created_at)
     SELECT e, t, b, i, $6, c, 'funding', $6, now()
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) AS v (e, t, b, i, c)`,
    [
      environments,
      ids.map(() => uuidOf(newId('trf'))),
      currencies.map((currency) => uuidOf(houseAccount('bank', currency))),
      ids,
      currencies,
      FUNDS,
    ],
  );
}
