import { describe, expect, it } from 'vitest';
import { RequestError } from '../../core/values/errors.ts';
import { NumberText, type Params, type Tree } from '../../platform/http/request/params.ts';
import {
  bankDetailsIn,
  createCommand,
  createRecipientParams,
  requirementsParams,
  updateRecipientParams,
  validateRecipientParams,
} from './parameters.ts';

const ADA = { name: 'Ada', type: 'individual', currency: 'eur', country: 'de', iban: 'de89 3704 0044 0532 0130 00' };
const { iban: _, ...NO_IBAN } = ADA;
const US = { name: 'Ada', type: 'company', currency: 'USD', country: 'US', routing_number: '110000000' };

/** `code param` of what is thrown, and its message. */
function fault<T>(params: Params<T>, tree: Tree): { what: string; message: string } {
  try {
    params.parse(tree);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { what: `${error.code} ${error.details.param}`, message: error.message };
  }
  throw new Error('nothing was refused');
}

const faults = (tree: Tree) => validateRecipientParams.parse(tree).faults.map(({ param, code }) => `${code} ${param}`);

describe('create', () => {
  it('makes a command with canonical details', () => {
    expect(createCommand(createRecipientParams.parse({ ...ADA, email: '', bank_name: ' Bank ' }), null)).toEqual({
      type: 'create_recipient',
      name: 'Ada',
      recipientType: 'individual',
      currency: 'EUR',
      country: 'DE',
      email: null,
      address: null,
      latinName: null,
      categoryPurpose: null,
      purpose: null,
      bankAccount: null,
      duplicateOf: null,
      bankDetails: { iban: 'DE89370400440532013000', bank_name: 'Bank' },
      metadata: undefined,
    });
  });

  it('parses the same request to the same value, however it was typed', () => {
    const typed = createRecipientParams.parse(ADA);
    expect(createRecipientParams.parse({ ...ADA, iban: 'DE89370400440532013000', country: 'DE' })).toEqual(typed);
    const number = { ...US, account_number: '000123456789' };
    expect(createRecipientParams.parse({ ...number, account_type: 'checking' })).toEqual(
      createRecipientParams.parse(number),
    );
  });

  it('takes account numbers that would pass for a card', () => {
    const body = createRecipientParams.parse({ ...US, account_number: '4242424242424242' });
    expect(body.account_number).toBe('4242424242424242');
    expect(fault(createRecipientParams, { ...ADA, bank_name: '4242 4242 4242 4242' }).what).toBe(
      'card_number_refused bank_name',
    );
  });

  it.each<[string, Record<string, Tree>]>([
    ['iban_invalid iban', { ...ADA, iban: 'DE89370400440532013001' }],
    ['parameter_missing iban', NO_IBAN],
    ['parameter_unknown sort_code', { ...ADA, sort_code: '108800' }],
    ['parameter_unknown ibn', { ...ADA, ibn: 'x' }],
    ['parameter_invalid name', { ...ADA, name: '  ' }],
    ['parameter_invalid name', { ...ADA, name: '…' }],
    ['parameter_invalid name', { ...ADA, name: '😀 (-)' }],
    ['text_too_long name', { ...ADA, name: 'a'.repeat(141) }],
    ['text_invalid name', { ...ADA, name: 'Ada\u200b Lovelace' }],
    ['text_invalid bank_name', { ...ADA, bank_name: 'Bank\u{e0041}' }],
    ['parameter_invalid type', { ...ADA, type: 'person' }],
    ['parameter_invalid email', { ...ADA, email: 'ada' }],
    ['country_unsupported country', { ...ADA, country: 'AQ' }],
    ['currency_unsupported currency', { ...ADA, currency: 'HRK' }],
    ['routing_number_invalid routing_number', { ...US, account_number: '000123456789', routing_number: '110000001' }],
  ])('refuses with %s', (what, tree) => {
    expect(fault(createRecipientParams, tree).what).toBe(what);
  });

  it('names the first fault only, the form before the bank', () => {
    expect(fault(createRecipientParams, { ...ADA, type: 'x', iban: 'x' }).what).toBe('parameter_invalid type');
  });

  it('never shows a whole account number', () => {
    const wrong: readonly (readonly [string, Tree])[] = [
      ['iban', 'DE89370400440532013001'],
      ['iban', new NumberText('370400440532013001')],
      ['iban', ['DE89370400440532013001']],
      ['account_number', '370400440532013001'],
      ['bic', '370400440532013001'],
    ];
    for (const [field, value] of wrong) {
      expect(fault(createRecipientParams, { ...ADA, [field]: value }).message).not.toContain('0532013');
    }
    const number = { ...US, account_number: new NumberText('370400440532013001') };
    expect(fault(createRecipientParams, number)).toEqual({
      what: 'parameter_invalid account_number',
      message: 'account_number must be text; in JSON it stands in quotes.',
    });
  });
});

describe('update', () => {
  it('takes nothing, or what may change', () => {
    expect(Object.values(updateRecipientParams.parse({})).every((value) => value === undefined)).toBe(true);
    expect(updateRecipientParams.parse({ email: '', iban: 'x' })).toMatchObject({ email: '', iban: 'x' });
  });

  it.each(['type', 'currency', 'country'])('refuses to change %s', (fixed) => {
    const { what, message } = fault(updateRecipientParams, { name: 'x', [fixed]: 'DE' });
    expect(what).toBe(`parameter_unknown ${fixed}`);
    expect(message).toContain('cannot be changed');
  });

  it('refuses what is no body', () => {
    expect(fault(updateRecipientParams, ['type']).what).toBe('body_invalid undefined');
  });
});

describe('requirements', () => {
  it('are known for every country with banks', () => {
    expect(requirementsParams.parse({ country: 'de', currency: 'eur' })).toMatchObject({ country: 'DE' });
    expect(fault(requirementsParams, { country: 'AQ', currency: 'EUR' }).what).toBe('country_unsupported country');
    expect(fault(requirementsParams, { country: 'DE', currency: 'HRK' }).what).toBe('currency_unsupported currency');
    expect(fault(requirementsParams, { country: 'DE' }).what).toBe('parameter_missing currency');
  });
});

describe('validate', () => {
  it('finds nothing wrong with what a create takes', () => {
    expect(faults(ADA)).toEqual([]);
  });

  it('answers all faults at once, each field once', () => {
    const tree = {
      type: 'person',
      currency: 'USD',
      country: 'US',
      account_number: new NumberText('1'),
      sort_code: '1',
    };
    expect(faults(tree)).toEqual([
      'parameter_missing name',
      'parameter_invalid type',
      'parameter_invalid account_number',
      'parameter_unknown sort_code',
      'parameter_missing routing_number',
    ]);
  });

  it('says nothing about bank details while country or currency are unknown', () => {
    expect(faults({ ...ADA, currency: 'HRK', iban: 'x' })).toEqual(['currency_unsupported currency']);
    expect(faults({ ...ADA, country: 'AQ', iban: 'x' })).toEqual(['country_unsupported country']);
  });

  it('throws what is wrong with the request itself', () => {
    expect(fault(validateRecipientParams, { ...ADA, ibn: 'x' }).what).toBe('parameter_unknown ibn');
    expect(fault(validateRecipientParams, 'x').what).toBe('body_invalid undefined');
  });
});

describe('bank_details, the shape of an answer', () => {
  const NESTED = { ...NO_IBAN, bank_details: { iban: ADA.iban } };

  it('means the same as flat parameters, for create and update', () => {
    expect(createRecipientParams.parse(NESTED)).toEqual(createRecipientParams.parse(ADA));
    expect(createRecipientParams.parse({ ...NESTED, iban: 'DE89370400440532013000' })).toEqual(
      createRecipientParams.parse(ADA),
    );
    expect(bankDetailsIn(updateRecipientParams.parse({ bank_details: { iban: ADA.iban } }))).toEqual({
      iban: ADA.iban,
    });
    expect(bankDetailsIn(updateRecipientParams.parse({ name: 'Ada' }))).toBeUndefined();
    expect(faults(NESTED)).toEqual([]);
  });

  it('takes null as the e-mail address, as answers show it', () => {
    expect(createCommand(createRecipientParams.parse({ ...NESTED, email: null }), null)).toMatchObject({ email: null });
    expect(faults({ ...NESTED, email: null })).toEqual([]);
  });

  it.each([
    ['parameter_conflict iban', { ...NESTED, iban: 'DE75512108001245126199' }],
    ['iban_invalid bank_details[iban]', { ...NO_IBAN, bank_details: { iban: 'DE89370400440532013001' } }],
    [
      'parameter_missing bank_details[account_number]',
      { ...US, routing_number: undefined, bank_details: { routing_number: '110000000' } },
    ],
    ['parameter_invalid bank_details[iban]', { ...NO_IBAN, bank_details: { iban: '******************3000' } }],
    ['parameter_invalid iban', { ...NO_IBAN, iban: '******************3000' }],
  ])('%s', (what, body) => {
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Tree;
    expect(fault(createRecipientParams, sent).what).toBe(what);
    expect(faults(sent)).toEqual([what]);
  });

  it('names a member that no recipient has, and what is no object', () => {
    const unknown = { ...NO_IBAN, bank_details: { ibn: 'x' } };
    expect(fault(createRecipientParams, unknown).what).toBe('parameter_unknown bank_details[ibn]');
    expect(fault(validateRecipientParams, unknown).what).toBe('parameter_unknown bank_details[ibn]');
    expect(fault(createRecipientParams, { ...NO_IBAN, bank_details: 'x' }).what).toBe('parameter_invalid bank_details');
    expect(faults({ ...NO_IBAN, bank_details: 'x' })[0]).toBe('parameter_invalid bank_details');
  });

  it('is refused masked in words that say what to do', () => {
    const masked = { ...NO_IBAN, bank_details: { iban: '******************3000' } };
    expect(fault(createRecipientParams, masked).message).toMatch(/masked.*Send the whole of it/);
  });
});
