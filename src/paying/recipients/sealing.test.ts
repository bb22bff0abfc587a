/** Recipients at rest: details are opened at the first look only, and the same account has the same fingerprint in one environment only. */
import { describe, expect, it } from 'vitest';
import { SealError, vault } from '../../platform/vault/vault.ts';
import type { BankDetails } from './bank-details.ts';
import type { Recipient } from './fields.ts';
import { recipientSeals } from './sealing.ts';

const ENVIRONMENT = 'env_01jd3v9q4ne8v8k3w2m6r5t7xa';
const OTHER = 'env_01jd3v9q4ne8v8k3w2m6r5t7xb';
const SECRETS = { current: 'a server secret of the tests, 0123456789', previous: [] };
const seals = recipientSeals(SECRETS);
const ADA: Recipient = {
  object: 'recipient',
  id: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa',
  createdAt: 0,
  name: 'Ada Lovelace',
  type: 'individual',
  currency: 'EUR',
  country: 'DE',
  email: null,
  status: 'active',
  createdBy: null,
  metadata: {},
  bankDetails: { iban: 'DE89370400440532013000', bank_name: 'Say "sealed"' },
  address: null,
  latinName: null,
  categoryPurpose: null,
  purpose: null,
  bankAccount: null,
  duplicateOf: null,
  bankSummary: null,
  version: 1,
  bankDetailsChangedAt: null,
  changedAt: null,
};

describe('a sealed recipient', () => {
  const stored = seals.recipient.seal(ADA, ENVIRONMENT);

  it('shows nothing of its account and opens again', () => {
    expect(JSON.stringify(stored)).not.toContain('0532013000');
    expect({ ...seals.recipient.open(stored) }).toMatchObject(ADA);
    expect(seals.detailsOf(JSON.stringify(stored.bankDetails), ADA.id)).toEqual(ADA.bankDetails);
    expect([seals.recipient.isCurrent(stored), seals.recipient.isCurrent(ADA)]).toEqual([true, false]);
  });

  it('is nothing else than sealed: clear text is refused, but by the walk that seals old rows', () => {
    expect(() => seals.recipient.open(ADA).bankDetails).toThrow(SealError);
    expect(() => seals.detailsOf('{"iban":"DE89370400440532013000"}', ADA.id)).toThrow(/in clear text/);
    expect(() => seals.detailsOf('{"sealed":"DE89370400440532013000"}', ADA.id)).toThrow(/in clear text/);
    const walk = recipientSeals(SECRETS, 'taken');
    expect(walk.detailsOf(JSON.stringify(ADA.bankDetails), ADA.id)).toEqual(ADA.bankDetails);
    expect(walk.recipient.open(stored).bankDetails).toEqual(ADA.bankDetails);
  });

  it('is opened when somebody looks at its details, and not before', () => {
    const elsewhere = seals.recipient.open({ ...stored, id: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xb' });
    expect([elsewhere.name, elsewhere.version]).toEqual(['Ada Lovelace', 1]);
    expect(() => elsewhere.bankDetails).toThrow(SealError);
    const opened = seals.recipient.open(stored);
    expect(opened.bankDetails).toBe(opened.bankDetails); // once
  });
});

describe('a fingerprint', () => {
  const of = (details: BankDetails, environment = ENVIRONMENT) => seals.fingerprintsOf(environment, details)[0];
  const account = { account_number: '73519284', sort_code: '108800' };

  it.each<readonly [string, BankDetails, BankDetails]>([
    ['what else is known of an IBAN', { iban: 'DE1', bic: 'COBADEFF' }, { iban: 'DE1', bank_name: 'Bank' }],
    ['the name of the bank', { ...account, bank_name: 'One' }, account],
    ['the kind of account', { ...account, account_type: 'savings' }, { ...account, account_type: 'checking' }],
    ['whether a British one is written as an IBAN', { iban: 'GB18NWBK10880073519284', bic: 'NWBKGB2L' }, account],
    ['the branch in a BIC', { account_number: '1', bic: 'COBADEFFXXX' }, { account_number: '1', bic: 'COBADEFF' }],
  ])('does not depend on %s', (_, one, other) => expect(of(one)).toBe(of(other)));

  it.each<readonly [string, BankDetails, BankDetails]>([
    ['the number', account, { ...account, account_number: '73519285' }],
    ['the bank', account, { ...account, sort_code: '108801' }],
    ['the kind of bank number', account, { account_number: '73519284', bsb: '108800' }],
    ['what kind of number it is', { clabe: '1' }, { iban: '1' }],
  ])('depends on %s', (_, one, other) => expect(of(one)).not.toBe(of(other)));

  it('is another in another environment, and there is none without an account', () => {
    expect(of(account)).toMatch(/^\\x[0-9a-f]{64}$/);
    expect(of(account)).not.toBe(of(account, OTHER));
    expect(seals.fingerprintsOf(ENVIRONMENT, { bank_name: 'Bank' })).toEqual([]);
  });

  it('of a British IBAN finds rows from before it was one with its sort code', () => {
    const iban = 'GB18NWBK10880073519284';
    const own = vault(SECRETS, 'bank details', 'bank details');
    const [before] = own.blind(`${ENVIRONMENT}\niban ${iban}`);
    expect(seals.fingerprintsOf(ENVIRONMENT, { iban })[1]).toBe(`\\x${before.toString('hex')}`);
  });
});
