/** Payment files: against the schemas of the markets, read back by another parser, and beside what another library writes. */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/generators/random-cases.ts';
import {
  files,
  iban,
  invalidIn,
  readPain001,
  schemasOf,
  type Tried,
} from '../../../test/support/bank/payment-files.ts';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { newId } from '../../core/values/ids.ts';
import { formatMinor } from '../../core/values/money.ts';
import { currencyOf } from '../../core/values/currencies.ts';
import { outgoingId, payoutOfUetr, uetrOf } from './identifiers.ts';
import { writePain001 } from './pain001.ts';
import { nameOf } from './payable.ts';
import type { Payment, Initiation } from './initiation.ts';
import type { Route } from './routes.ts';

const RUNS = runs(150);
const written = (file: Initiation) => [...writePain001(file)].join('');
const text = (amount: bigint, currency: string) => formatMinor(amount, currencyOf(currency)?.exponent ?? 0);

/** Ids as the EPC wants them, which no schema looks at. */
const isPlainId = (id: string) => /^[A-Za-z0-9+?/\-:().,' ]{1,35}$/.test(id) && !/^\/|\/$|\/\//.test(id);

const EXAMPLE: Initiation = {
  profile: 'de_dk',
  messageId: 'PF01JD3V9Q4NE8V8K3W2M6R5T7XA',
  paymentInformationId: 'PF01JD3V9Q4NE8V8K3W2M6R5T7XA',
  createdAtMs: Date.UTC(2026, 10, 23, 9, 30),
  debtor: { name: 'Rossum GmbH', address: null, country: 'DE', details: { iban: 'DE89370400440532013000' } },
  executionOn: '2026-11-23',
  route: 'sepa',
  categoryPurpose: null,
  batchBooking: false,
  currency: 'EUR',
  count: 2,
  sum: 12_005n,
  payments: [
    {
      endToEndId: 'PO01JD3V9Q4NE8V8K3W2M6R5T7XA',
      amount: 10_005n,
      currency: 'EUR',
      creditor: {
        name: 'Jan Novák & Söhne',
        latinName: null,
        country: 'DE',
        address: {
          line1: 'Alt-Moabit 1',
          line2: 'Hof',
          postal_code: '10557',
          city: 'Berlin',
          state: null,
          country: 'DE',
        },
        details: { iban: 'DE02120300000000202051' },
      },
      purpose: null,
      reference: 'Invoice 4711',
      referenceType: 'text',
    },
    {
      endToEndId: 'PO01JD3V9Q4NE8V8K3W2M6R5T7XB',
      amount: 2_000n,
      currency: 'EUR',
      creditor: {
        name: 'Ada Lovelace',
        latinName: null,
        country: 'DE',
        address: null,
        details: { iban: iban('DE', '120300000000202052') },
      },
      purpose: null,
      reference: 'RF18 5390 0754 7034',
      referenceType: null,
    },
  ],
};

describe('a file', () => {
  it('says once what holds for all, and each payment whole', () => {
    const { head, payments } = readPain001(written(EXAMPLE));
    expect(head).toMatchObject({
      'GrpHdr/MsgId': EXAMPLE.messageId,
      'GrpHdr/CreDtTm': '2026-11-23T09:30:00Z',
      'GrpHdr/NbOfTxs': '2',
      'GrpHdr/CtrlSum': '120.05',
      'PmtInf/PmtMtd': 'TRF',
      'PmtInf/BtchBookg': 'false',
      'PmtInf/NbOfTxs': '2',
      'PmtInf/CtrlSum': '120.05',
      'PmtInf/PmtTpInf/SvcLvl/Cd': 'SEPA',
      'PmtInf/ReqdExctnDt/Dt': '2026-11-23',
      'PmtInf/DbtrAcct/Id/IBAN': 'DE89370400440532013000',
      'PmtInf/DbtrAgt/FinInstnId/Othr/Id': 'NOTPROVIDED',
      'PmtInf/ChrgBr': 'SLEV',
    });
    expect(payments[0]).toEqual({
      'PmtId/InstrId': 'PO01JD3V9Q4NE8V8K3W2M6R5T7XA',
      'PmtId/EndToEndId': 'PO01JD3V9Q4NE8V8K3W2M6R5T7XA',
      'Amt/InstdAmt': '100.05',
      'Cdtr/Nm': 'Jan Novak & Söhne',
      'Cdtr/PstlAdr/StrtNm': 'Alt-Moabit 1',
      'Cdtr/PstlAdr/Room': 'Hof',
      'Cdtr/PstlAdr/PstCd': '10557',
      'Cdtr/PstlAdr/TwnNm': 'Berlin',
      'Cdtr/PstlAdr/Ctry': 'DE',
      'CdtrAcct/Id/IBAN': 'DE02120300000000202051',
      'RmtInf/Ustrd': 'Invoice 4711',
    });
    expect(payments[1]).toMatchObject({
      'RmtInf/Strd/CdtrRefInf/Tp/CdOrPrtry/Cd': 'SCOR',
      'RmtInf/Strd/CdtrRefInf/Ref': 'RF18539007547034',
    });
  });

  const ofSepa = (code: string, issuer: string | undefined, reference: string) => ['sepa', code, issuer, reference];
  it.each([
    ['rf', 'RF18 5390 0754 7034', ofSepa('SCOR', 'ISO', 'RF18539007547034')],
    ['bba', '+++090/9337/55493+++', ofSepa('SCOR', 'BBA', '090933755493')],
    ['kid', '602243', ofSepa('SCOR', undefined, '602243')],
    ['fi', '12 34561', ofSepa('SCOR', undefined, '1234561')],
    ['si', 'SI05 19-1235-84503', ofSepa('SCOR', undefined, 'SI0519-1235-84503')],
    ['qrr', '21 00000 00003 13947 14300 09017', ['domestic', 'QRR', undefined, '210000000003139471430009017']],
  ] as const)('carries a reference of the type %s, %s, as its market wants it', async (type, reference, expected) => {
    const [payment] = [...EXAMPLE.payments] as [Payment];
    const [route] = expected;
    const profile = route === 'sepa' ? 'de_dk' : 'ch_sps';
    const debtor = { ...EXAMPLE.debtor, details: { ...EXAMPLE.debtor.details, bic: 'COBADEFFXXX' } };
    const payments = [{ ...payment, reference, referenceType: type }];
    const file = {
      ...EXAMPLE,
      profile,
      debtor,
      route: route as Route,
      count: 1,
      sum: payment.amount,
      payments,
    } as const;
    const at = readPain001(written(file)).payments[0] as Record<string, string>;
    const to = 'RmtInf/Strd/CdtrRefInf';
    const code = at[`${to}/Tp/CdOrPrtry/${type === 'qrr' ? 'Prtry' : 'Cd'}`];
    expect([route, code, at[`${to}/Tp/Issr`], at[`${to}/Ref`]]).toEqual(expected);
    expect(at['RmtInf/Ustrd']).toBeUndefined();
    if (ISO20022 === undefined) return;
    for (const schema of schemasOf(file)) expect(await invalidIn(ISO20022, schema, [written(file)])).toEqual([]);
  });

  it('carries what is said to be words as words', () => {
    const [payment] = [...EXAMPLE.payments] as [Payment];
    const payments = [{ ...payment, reference: 'RF18 5390 0754 7034', referenceType: 'text' as const }];
    const [at] = readPain001(written({ ...EXAMPLE, count: 1, sum: payment.amount, payments })).payments;
    expect(at).toMatchObject({ 'RmtInf/Ustrd': 'RF18 5390 0754 7034' });
  });

  it('names the bank of a payee outside the EEA, and of no other', () => {
    const [payment] = [...EXAMPLE.payments] as [Payment];
    const banks = ['DE', 'LI', 'GB', 'CH'].map((country) => {
      const creditor = { ...payment.creditor, country, details: { ...payment.creditor.details, bic: 'BARCGB22' } };
      const xml = written({ ...EXAMPLE, count: 1, sum: payment.amount, payments: [{ ...payment, creditor }] });
      return readPain001(xml).payments[0]?.['CdtrAgt/FinInstnId/BICFI'];
    });
    expect(banks).toEqual([undefined, undefined, 'BARCGB22', 'BARCGB22']);
  });

  it('of salaries says so once, and asks for one booking', () => {
    const payments = [...EXAMPLE.payments].map((each) => ({ ...each, purpose: 'BONU' }));
    const salaries = { ...EXAMPLE, categoryPurpose: 'SALA', batchBooking: true, payments };
    const { head, payments: said } = readPain001(written(salaries));
    expect(head).toMatchObject({ 'PmtInf/BtchBookg': 'true', 'PmtInf/PmtTpInf/CtgyPurp/Cd': 'SALA' });
    expect(said.map((each) => [each['PmtTpInf/CtgyPurp/Cd'], each['Purp/Cd']])).toEqual([
      [undefined, 'BONU'],
      [undefined, 'BONU'],
    ]);
    // Foreign payments of German banks repeat their type, and so their category.
    const foreign = readPain001(written({ ...salaries, route: 'urgent' }));
    expect(foreign.head['PmtInf/PmtTpInf/CtgyPurp/Cd']).toBeUndefined();
    expect(foreign.payments.map((each) => each['PmtTpInf/CtgyPurp/Cd'])).toEqual(['SALA', 'SALA']);
  });

  it('is refused where its head does not say what it holds', () => {
    expect(() => written({ ...EXAMPLE, sum: 12_004n })).toThrow('sum');
    expect(() => written({ ...EXAMPLE, count: 3 })).toThrow('as many');
  });

  it('agrees with what the library sepa writes', () => {
    const { Document } = createRequire(import.meta.url)('sepa') as typeof import('sepa');
    const document = new Document('pain.001.001.09');
    document.grpHdr.id = EXAMPLE.messageId;
    document.grpHdr.created = new Date(EXAMPLE.createdAtMs);
    document.grpHdr.initiatorName = EXAMPLE.debtor.name;
    const info = document.createPaymentInfo();
    Object.assign(info, {
      requestedExecutionDate: new Date(Date.UTC(2026, 10, 23)),
      debtorIBAN: 'DE89370400440532013000',
      debtorBIC: 'COBADEFFXXX',
      debtorName: 'Rossum GmbH',
      debtorId: 'DE98ZZZ09999999999',
    });
    document.addPaymentInfo(info);
    for (const { endToEndId, amount, creditor } of EXAMPLE.payments) {
      const transaction = info.createTransaction();
      Object.assign(transaction, {
        creditorName: creditor.name,
        creditorIBAN: creditor.details['iban'],
        amount: Number(amount) / 100,
        end2endId: endToEndId,
        remittanceInfo: 'x',
      });
      info.addTransaction(transaction);
    }
    const [ours, theirs] = [readPain001(written(EXAMPLE)), readPain001(document.toString())];
    for (const path of [
      'GrpHdr/MsgId',
      'GrpHdr/NbOfTxs',
      'GrpHdr/CtrlSum',
      'PmtInf/CtrlSum',
      'PmtInf/PmtMtd',
      'PmtInf/DbtrAcct/Id/IBAN',
      'PmtInf/Dbtr/Nm',
    ]) {
      expect([path, theirs.head[path]]).toEqual([path, ours.head[path]]);
    }
    const essence = (payments: typeof ours.payments) =>
      payments.map((each) => [each['PmtId/EndToEndId'], each['Amt/InstdAmt'], each['CdtrAcct/Id/IBAN']]);
    expect(essence(theirs.payments)).toEqual(essence(ours.payments));
  });
});

/** Service level and instrument, wherever they stand. */
const typeOf = (at: Readonly<Record<string, string>>): string =>
  ['PmtInf/PmtTpInf', 'PmtTpInf']
    .flatMap((path) => [at[`${path}/SvcLvl/Cd`], at[`${path}/LclInstrm/Cd`]])
    .filter((text) => text !== undefined)
    .join(' ');
const all = (type: string) => ({ epc: [type], de_dk: [type], ch_sps: [type], generic: [type] });
const TYPES: Readonly<Record<string, Partial<Record<Initiation['profile'], readonly string[]>>>> = {
  sepa: all('SEPA'),
  sepa_instant: all('SEPA INST'),
  urgent: all('URGP'),
  swift: { de_dk: ['NURG'] },
};
const ROUTES_OF_PROFILES = [
  'ch_sps domestic',
  'ch_sps sepa',
  'ch_sps swift',
  'ch_sps urgent',
  'de_dk sepa',
  'de_dk sepa_instant',
  'de_dk swift',
  'de_dk urgent',
  'epc sepa',
  'epc sepa_instant',
  'generic domestic',
  'generic sepa',
  'generic sepa_instant',
  'generic swift',
  'generic urgent',
];

describe.skipIf(ISO20022 === undefined)('random files', () => {
  const tried: Tried[] = [];
  const routes = new Set<string>();

  it(`${RUNS} say what was given, whatever it was`, () => {
    let refused = 0;
    fc.assert(
      fc.property(files, (found) => {
        if (found === null) return;
        tried.push(found);
        refused += found.refused.length;
        const { file } = found;
        const { head, payments } = readPain001(written(file));
        routes.add(`${file.profile} ${file.route}`);
        const types = [head, ...payments].map((at) => typeOf(at));
        expect(new Set(types.filter((type) => type !== ''))).toEqual(new Set(TYPES[file.route]?.[file.profile] ?? []));
        expect([head['GrpHdr/NbOfTxs'], head['PmtInf/NbOfTxs']]).toEqual([String(file.count), String(file.count)]);
        expect(head['GrpHdr/CtrlSum']).toBe(text(file.sum, file.currency));
        expect(head['PmtInf/BtchBookg']).toBe(String(file.batchBooking));
        const categories = [head['PmtInf/PmtTpInf/CtgyPurp/Cd'], ...payments.map((at) => at['PmtTpInf/CtgyPurp/Cd'])];
        const { categoryPurpose: category } = file;
        expect(categories.filter((each) => each !== undefined).every((each) => each === category)).toBe(true);
        expect(categories.some((each) => each !== undefined)).toBe(category !== null);
        expect(isPlainId(head['GrpHdr/MsgId'] as string)).toBe(true);
        for (const [index, { endToEndId, amount, currency, creditor, purpose }] of [...file.payments].entries()) {
          const said = payments[index] as Record<string, string>;
          expect(said['PmtId/EndToEndId']).toBe(endToEndId);
          expect(isPlainId(endToEndId)).toBe(true);
          const hasUetr = file.profile === 'ch_sps' || file.profile === 'generic';
          expect(said['PmtId/UETR']).toBe(hasUetr ? uetrOf(endToEndId) : undefined);
          expect(said['Amt/InstdAmt']).toBe(text(amount, currency));
          expect(said['Purp/Cd'] ?? null).toBe(purpose);
          expect(said['Cdtr/Nm']).toBe(nameOf(creditor, file.profile));
          expect((said['Cdtr/Nm'] as string).length).toBeLessThanOrEqual(70);
          const { iban: number, account_number: account } = creditor.details as {
            iban?: string;
            account_number?: string;
          };
          expect(said['CdtrAcct/Id/IBAN'] ?? said['CdtrAcct/Id/Othr/Id']).toBe(number ?? account);
        }
      }),
      { numRuns: RUNS },
    );
    expect(tried.length).toBeGreaterThan(RUNS / 4);
    expect(refused).toBeGreaterThan(0);
    expect(ROUTES_OF_PROFILES).toEqual(expect.arrayContaining([...routes]));
  });

  it('are valid in the schema of ISO and in that of their market', { timeout: 600_000 }, async () => {
    const bySchema = new Map<string, string[]>();
    for (const { file } of tried) {
      for (const schema of schemasOf(file)) bySchema.set(schema, [...(bySchema.get(schema) ?? []), written(file)]);
    }
    expect(bySchema.size).toBe(4);
    for (const [schema, documents] of bySchema) {
      for (let at = 0; at < documents.length; at += 500) {
        const part = documents.slice(at, at + 500);
        expect([schema, await invalidIn(ISO20022 as string, schema, part)]).toEqual([schema, []]);
      }
    }
    console.info(
      `${tried.length} files, ${[...bySchema].map(([schema, all]) => `${schema} ${all.length}`).join(', ')}`,
    );
  });
});

it('a UETR is a UUID of version 4, the same for the same payment', () => {
  const payouts = Array.from({ length: 1_000 }, () => newId('po'));
  const ids = payouts.map(outgoingId);
  const made = ids.map(uetrOf);
  expect(new Set(made).size).toBe(1_000);
  for (const each of made)
    expect(each).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.map(uetrOf)).toEqual(made);
  expect(made.map(payoutOfUetr)).toEqual(payouts);
  expect(made.map((each) => payoutOfUetr(each.replaceAll('-', '').toUpperCase()))).toEqual(payouts);
});

it('a UETR that is none of ours leads to no payout, where its instant says so', () => {
  const others = Array.from(
    { length: 1_000 },
    (_, n) => `${(n + 1_000).toString(16).padStart(4, '0')}${randomUUID().slice(4)}`,
  );
  expect(others.filter((each) => payoutOfUetr(each) !== null).length).toBe(0);
  for (const none of [
    null,
    '',
    'NOTPROVIDED',
    randomUUID().slice(1),
    newId('po'),
    '01a20189-3149-7000-8077-5748c5d52129',
  ])
    expect(payoutOfUetr(none)).toBeNull();
});

describe.skipIf(ISO20022 === undefined)('controls: what must be refused is', () => {
  const GERMAN = 'pain.001.001.09_GBIC_4';
  const good = written(EXAMPLE);
  const of = async (xml: string, schema = GERMAN) => (await invalidIn(ISO20022 as string, schema, [xml])).join('\n');
  const changed = (from: string | RegExp, to: string) => {
    const after = good.replace(from, to);
    expect(after).not.toBe(good);
    return after;
  };

  it('the file itself is valid', async () => expect(await of(good)).toBe(''));
  it.each([
    ['sepa_instant', 'de_dk', GERMAN],
    ['urgent', 'de_dk', 'pain.001.001.09_AXZ_GBIC_4'],
    ['urgent', 'ch_sps', 'pain.001.001.09.ch.03'],
    ['sepa_instant', 'epc', 'pain.001.001.09'],
  ] as const)('so is one of the route %s in %s', async (route, profile, schema) => {
    const payments = [...EXAMPLE.payments].map((each) => ({
      ...each,
      creditor: { ...each.creditor, details: { ...each.creditor.details, bic: 'COBADEFFXXX' } },
    }));
    const debtor = { ...EXAMPLE.debtor, details: { ...EXAMPLE.debtor.details, bic: 'COBADEFFXXX' } };
    const xml = written({ ...EXAMPLE, debtor, route, profile, payments });
    expect(await of(xml, schema)).toBe('');
    expect(xml.split(route === 'urgent' ? '<Cd>URGP</Cd>' : '<LclInstrm><Cd>INST</Cd></LclInstrm>')).toHaveLength(
      profile === 'de_dk' && route === 'urgent' ? 3 : 2,
    );
  });
  it('an instant payment in the German schema of foreign ones', async () => {
    expect(await of(written({ ...EXAMPLE, route: 'sepa_instant' }), 'pain.001.001.09_AXZ_GBIC_4')).toContain(
      'not expected',
    );
  });
  it('an id with _, by the German schema', async () => {
    expect(await of(changed(/<EndToEndId>PO/, '<EndToEndId>po_'))).toContain('EndToEndId');
    expect(await of(changed(/<EndToEndId>PO/, '<EndToEndId>po_'), 'pain.001.001.09')).toBe('');
  });
  it('so is a payee outside the EEA, with BIC and the payer’s address', async () => {
    const address = { line1: null, line2: null, postal_code: null, city: 'Berlin', state: null, country: 'DE' };
    const payments = [...EXAMPLE.payments].map((each) => ({
      ...each,
      creditor: { ...each.creditor, country: 'GB', details: { iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22' } },
    }));
    const debtor = { ...EXAMPLE.debtor, details: { ...EXAMPLE.debtor.details, bic: 'COBADEFFXXX' } };
    for (const profile of ['de_dk', 'epc', 'ch_sps'] as const) {
      const file: Initiation = { ...EXAMPLE, profile, debtor: { ...debtor, address }, payments };
      expect(written(file)).toContain('<CdtrAgt><FinInstnId><BICFI>BUKBGB22</BICFI></FinInstnId></CdtrAgt>');
      for (const schema of schemasOf(file)) expect([schema, await of(written(file), schema)]).toEqual([schema, '']);
    }
  });
  it('a UETR, by the German schema', async () => {
    const uetr = '</EndToEndId><UETR>8a562c67-ca16-48ba-b074-65581be6f001</UETR>';
    expect(await of(changed('</EndToEndId>', uetr))).toContain('UETR');
  });
  it('a name of 71, by the German schema', async () => {
    expect(await of(changed('Ada Lovelace', 'A'.repeat(71)))).toContain('maxLength');
    expect(await of(changed('Ada Lovelace', 'A'.repeat(70)))).toBe('');
  });
  it('a country with lines only, by the German schema', async () => {
    const lines = '<PstlAdr><Ctry>DE</Ctry><AdrLine>Alt-Moabit 1</AdrLine></PstlAdr>';
    expect(await of(changed(/<PstlAdr>.*<\/PstlAdr>/, lines))).toContain('Ctry');
  });
  it('// in an id, by our own check: no schema sees it', async () => {
    expect(await of(changed(/<EndToEndId>PO01/, '<EndToEndId>PO//'))).toBe('');
    expect([isPlainId('PO//1'), isPlainId('/PO1'), isPlainId('PO1/'), isPlainId('po_1'), isPlainId('PO1')]).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});
