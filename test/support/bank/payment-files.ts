/** Random payment files, what a schema says of them, and what another reader finds in them. Next: `src/iso20022/write/pain001.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { validateXML } from 'xmllint-wasm';
import { SPEEDS } from '../../../src/core/rails/payment-schemes.ts';
import { CATEGORY_PURPOSES } from '../../../src/core/rails/purposes.ts';
import { rfReference } from '../../../src/core/rails/creditor-reference.ts';
import { isAddressWritable, isHolderWritable, judgePayment } from '../../../src/iso20022/write/payable.ts';
import type { Address, Creditor, Debtor, Payment, Initiation } from '../../../src/iso20022/write/initiation.ts';
import { PROFILES, type Profile } from '../../../src/iso20022/write/profiles.ts';
import type { Route } from '../../../src/iso20022/write/routes.ts';

/** An IBAN with its check digits (ISO 13616). */
export function iban(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((letter) => Number.parseInt(letter, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
}

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });

const NAMES = [
  'Jan Novák',
  'Müller & Söhne GmbH',
  'Łódź Spółka',
  'Иван Петров',
  'Αθήνα ΑΕ',
  'İstanbul Ticaret',
  '王小明',
  'Ævar Þór',
  '😀',
  'O’Brien//Sons',
  '  /A/  ',
  'a'.repeat(120),
  'ß'.repeat(69),
  '<script>&"\'',
  'e\u0301e\u0301',
  '\u00ad',
  'ﬁ ½ ™',
]; // prettier-ignore
const name = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
  fc.string(),
);

const address: fc.Arbitrary<Address> = fc.record({
  line1: maybe(name.map((text) => text.slice(0, 70))),
  line2: maybe(name.map((text) => text.slice(0, 70))),
  postal_code: maybe(fc.string({ maxLength: 16 })),
  city: fc.oneof(fc.constantFrom('Berlin', 'Zürich', 'Москва', '北京'), fc.string({ minLength: 1, maxLength: 35 })),
  state: maybe(fc.string({ maxLength: 35 })),
  country: fc.constantFrom('DE', 'CH', 'US', 'CN'),
});

type Place = Pick<Debtor, 'country' | 'details'> & { readonly currency: string };
const place = (country: string, currency: string, details: fc.Arbitrary<Record<string, string>>): fc.Arbitrary<Place> =>
  details.map((found) => ({ country, currency, details: found }));
const ofIban = (country: string, account: fc.Arbitrary<string>, more: Record<string, string> = {}) =>
  account.map((text) => ({ iban: iban(country, text), ...more }));

const GERMAN = ofIban('DE', digits(18));
const SWISS = ofIban('CH', digits(17));
const CREDITORS: readonly fc.Arbitrary<Place>[] = [
  place('DE', 'EUR', GERMAN),
  place('DE', 'EUR', ofIban('DE', digits(18), { bic: 'COBADEFFXXX' })),
  place('CH', 'EUR', SWISS),
  place('CH', 'CHF', SWISS),
  place(
    'NL',
    'EUR',
    ofIban(
      'NL',
      digits(10).map((account) => `ABNA${account}`),
    ),
  ),
  place('DE', 'USD', ofIban('DE', digits(18), { bic: 'COBADEFFXXX' })),
  place('DE', 'USD', GERMAN), // no BIC: there is no route
  place(
    'SG',
    'SGD',
    digits(10).map((account) => ({ account_number: account, bic: 'DBSSSGSG' })),
  ),
  place(
    'US',
    'USD',
    digits(9).map((account) => ({ routing_number: '021000021', account_number: account })),
  ),
  place(
    'GB',
    'GBP',
    digits(8).map((account) => ({ sort_code: '200000', account_number: account })),
  ),
  place(
    'AU',
    'AUD',
    digits(9).map((account) => ({ bsb: '062000', account_number: account })),
  ),
  place(
    'IN',
    'INR',
    digits(11).map((account) => ({ ifsc: 'HDFC0000001', account_number: account })),
  ),
  place(
    'CA',
    'CAD',
    digits(7).map((account) => ({ institution_number: '003', transit_number: '00012', account_number: account })),
  ),
  place(
    'JP',
    'JPY',
    digits(7).map((account) => ({ account_number: account, bic: 'BOTKJPJT' })),
  ),
]; // prettier-ignore
const DEBTORS: Readonly<Record<Profile, fc.Arbitrary<Omit<Place, 'currency'>>>> = {
  epc: place(
    'NL',
    'EUR',
    ofIban(
      'NL',
      digits(10).map((account) => `INGB${account}`),
    ),
  ),
  de_dk: fc.oneof(place('DE', 'EUR', GERMAN), place('DE', 'EUR', ofIban('DE', digits(18), { bic: 'COBADEFFXXX' }))),
  ch_sps: fc.oneof(place('CH', 'CHF', SWISS), place('CH', 'CHF', ofIban('CH', digits(17), { bic: 'POFICHBE' }))),
  generic: fc.oneof(
    place(
      'US',
      'USD',
      digits(9).map((account) => ({ routing_number: '021000021', account_number: account })),
    ),
    place(
      'GB',
      'GBP',
      digits(8).map((account) => ({ sort_code: '200000', account_number: account })),
    ),
    place('FR', 'EUR', GERMAN),
  ),
}; // prettier-ignore

const reference = maybe(
  fc.oneof(
    fc.constantFrom('Invoice 4711', rfReference('539007547034'), 'RF00ABC', '//', 'Счёт 12', '😀😀', 'x'.repeat(140)),
    fc.string({ unit: 'binary', maxLength: 140 }),
  ),
);
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 1_000_000n }),
  fc.constantFrom(99_999_999_999n, 100_000_000_000n, 999_999_999_999_999n, 10n ** 15n),
);
const ID = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const id = (prefix: string) =>
  fc.array(fc.constantFrom(...ID), { minLength: 25, maxLength: 25 }).map((letters) => `${prefix}0${letters.join('')}`);

export interface Tried {
  readonly file: Initiation;
  /** Payments that the writer does not take, with what is complained of. */
  readonly refused: readonly string[];
}

export interface RandomOrder {
  readonly profile: Profile;
  readonly debtor: Pick<Debtor, 'country' | 'details'>;
  readonly creditor: Pick<Creditor, 'name' | 'latinName' | 'address' | 'country' | 'details'>;
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string | null;
  readonly speed: (typeof SPEEDS)[number];
}

/** A payment that somebody may want to make from a bank account, payable or not. */
export const orders: fc.Arbitrary<RandomOrder> = fc.constantFrom(...PROFILES).chain((profile) =>
  fc
    .record({
      debtor: DEBTORS[profile],
      to: fc.oneof(...CREDITORS),
      who: fc.record({ name, latinName: maybe(fc.constantFrom('Wang', 'A-1')), address: maybe(address) }),
      amount,
      reference,
      speed: fc.constantFrom(...SPEEDS),
    })
    .map(({ to: { currency, ...at }, who, ...order }) => ({
      profile,
      ...order,
      currency,
      creditor: { ...who, ...at },
    })),
);

/** A file of what is payable among random payments, of the route that the first payable one has. `null`: none is. */
export const files: fc.Arbitrary<Tried | null> = fc.constantFrom(...PROFILES).chain((profile) =>
  fc
    .record({
      debtor: DEBTORS[profile],
      name: name.filter((text) => isHolderWritable(text, profile)),
      address: maybe(address),
      to: fc.constantFrom(...CREDITORS).chain((creditor) => fc.array(creditor, { minLength: 1, maxLength: 4 })),
      others: fc.array(
        fc.record({
          name,
          latinName: maybe(fc.constantFrom('Wang', 'A-1')),
          address: maybe(address),
          amount,
          purpose: maybe(fc.constantFrom('SALA', 'BONU', 'RENT')),
          reference,
          endToEndId: id('PO'),
        }),
        { minLength: 4, maxLength: 4 },
      ),
      messageId: id('BF'),
      day: fc.integer({ min: 10, max: 28 }),
      speed: fc.constantFrom(...SPEEDS),
      group: fc.record({ categoryPurpose: maybe(fc.constantFrom(...CATEGORY_PURPOSES)), batchBooking: fc.boolean() }),
    })
    .map(({ debtor, to, others, messageId, day, speed, group, ...who }) => {
      const refused: string[] = [];
      const hasAddress = isAddressWritable(who.address, profile);
      const payer = { ...debtor, hasName: true, hasAddress };
      const payments: Payment[] = [];
      let route: Route | null = null;
      for (const [index, { currency, ...at }] of to.entries()) {
        const { name: called, latinName, address: lives, ...payment } = others[index] as (typeof others)[0];
        const creditor: Creditor = { ...at, name: called, latinName, address: lives };
        const judged = judgePayment(profile, payer, creditor, { ...payment, referenceType: null, currency, speed });
        refused.push(...judged.complaints.map(({ message }) => message));
        if (judged.route === null || (route !== null && judged.route !== route)) continue;
        route = judged.route;
        payments.push({ ...payment, referenceType: null, currency, creditor });
      }
      if (route === null) return null;
      const sum = payments.reduce((total, each) => total + each.amount, 0n);
      const file: Initiation = {
        profile,
        messageId,
        paymentInformationId: messageId,
        createdAtMs: Date.UTC(2026, 10, day, 9, 30),
        debtor: { ...debtor, ...who },
        executionOn: `2026-12-${day}`,
        route,
        ...group,
        currency: payments[0]?.currency as string,
        count: payments.length,
        sum,
        payments,
      }; // prettier-ignore
      return { file, refused };
    }),
);

/** The schemas that a file must satisfy: its own market's, and that of ISO. */
export function schemasOf({ profile, route }: Pick<Initiation, 'profile' | 'route'>): readonly string[] {
  const iso = 'pain.001.001.09';
  if (profile === 'ch_sps') return [iso, `${iso}.ch.03`];
  if (profile === 'de_dk')
    return [iso, route === 'sepa' || route === 'sepa_instant' ? `${iso}_GBIC_4` : `${iso}_AXZ_GBIC_4`];
  return [iso];
}

/** What the schema complains of, document by document, in one run of xmllint. */
export async function invalidIn(folder: string, schema: string, documents: readonly string[]): Promise<string[]> {
  const result = await validateXML({
    xml: documents.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema: [readFileSync(join(folder, 'xsd', `${schema}.xsd`), 'utf8')],
    initialMemoryPages: 1024,
    maxMemoryPages: 8192,
  });
  return result.errors.map(({ rawMessage }) => rawMessage);
}

/** Complaints about documents of several schemas, by the name of the document, in one run: a start of xmllint costs more than all of them. */
export async function invalidOf(
  folder: string,
  documents: readonly { readonly name: string; readonly schema: string; readonly xml: string }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = [...new Set(documents.map(({ schema }) => schema))];
  const schemas = names.map((name) => {
    return { fileName: `${name}.xsd`, contents: readFileSync(join(folder, 'xsd', `${name}.xsd`), 'utf8') };
  });
  const imports = schemas.map(({ fileName, contents }) => {
    const [, namespace = ''] = /targetNamespace="([^"]+)"/.exec(contents) ?? [];
    return `<xs:import namespace="${namespace}" schemaLocation="${fileName}"/>`;
  });
  const all = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join('')}</xs:schema>`;
  const result = await validateXML({
    xml: documents.map(({ name, xml }) => ({ fileName: `${name}.xml`, contents: xml })),
    schema: [{ fileName: 'all.xsd', contents: all }],
    preload: schemas,
    initialMemoryPages: 1024,
    maxMemoryPages: 8192,
  });
  const said = result.errors.map(({ rawMessage }) => rawMessage);
  return new Map(documents.map(({ name }) => [name, said.filter((each) => each.startsWith(`${name}.xml:`))]));
}

export interface Found {
  /** Texts by the path of their elements below `CstmrCdtTrfInitn`, joined with `/`; of payments below `CdtTrfTxInf`. */
  readonly head: Readonly<Record<string, string>>;
  readonly payments: readonly Readonly<Record<string, string>>[];
}

/** What another parser finds. */
export function readPain001(xml: string): Found {
  const head: Record<string, string> = {};
  const payments: Record<string, string>[] = [];
  const path: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name: tag }) => {
    path.push(tag);
    if (tag === 'CdtTrfTxInf') payments.push({});
  });
  parser.on('text', (text) => {
    if (text.trim() === '') return;
    const at = path.indexOf('CdtTrfTxInf');
    if (at === -1) head[path.slice(2).join('/')] = text;
    else (payments.at(-1) as Record<string, string>)[path.slice(at + 1).join('/')] = text;
  });
  parser.on('closetag', () => path.pop());
  parser.write(xml).close();
  return { head, payments };
}
