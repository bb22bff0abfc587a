/**
 * `:86:` with codes between slashes: `/EREF/…/CNTP/IBAN/BIC/name/city/REMI/USTD//text/`, as Dutch banks and many others outside Germany give it.
 * Sources: format descriptions of MT940 of Rabobank (structured, 2013) and Deutsche Bank Netherlands (2012); files of ING and ABN AMRO. Pure.
 */
import { type Information, type Word, wordsThatCount } from './words.ts';

/** Codes whose value is what it says. */
const WORDS: Readonly<Record<string, Word>> = {
  EREF: 'endToEndId',
  PREF: 'paymentId',
  KREF: 'paymentId',
  MARF: 'mandateId',
  IBAN: 'account',
  BIC: 'bic',
  CDTRREF: 'creditorReference',
  PURP: 'purpose',
  TRCD: 'code',
  TRTP: 'kind',
  OCMT: 'original',
  CHGS: 'charges',
};
/** Codes of a party: its name, or codes with more about it, follow. */
const PARTIES: Readonly<Record<string, Word>> = {
  BENM: 'name',
  ORDP: 'name',
  ULTB: 'ultimateCreditor',
  ULTC: 'ultimateCreditor',
  ULTD: 'ultimateDebtor',
  UDTR: 'ultimateDebtor',
  UCRD: 'ultimateCreditor',
};
const OTHERS = ['CNTP', 'REMI', 'RTRN', 'NAME', 'ADDR', 'CSID', 'CDTRREFTP', 'ISDT', 'SVCL', 'EXCH', 'SUM', 'ACCW'];
/** A payer could write these into his text to be taken for money that came back. No bank has them behind it. */
const OF_THE_BANK: ReadonlySet<string> = new Set(['RTRN', 'TRCD', 'OCMT', 'CHGS']);
const CODES = new RegExp(`/(${[...Object.keys(WORDS), ...Object.keys(PARTIES), ...OTHERS].join('|')})/`, 'g');

/** `null` if it does not begin with a code. */
export function slashWords(text: string): Information | null {
  const codes = [...text.matchAll(CODES)];
  if (codes[0] === undefined || text.slice(0, codes[0].index).trim() !== '') return null;
  const parts = codes.map(({ 0: code, 1: name = '', index }, at) => {
    const value = text.slice(index + code.length, codes[at + 1]?.index);
    return { name, value: value.replace(/\/{1,3}$/, '').trim() };
  });
  const at = parts.findIndex(({ name }) => name === 'REMI');
  const remittance = remittanceIn(parts[at]?.value ?? '');
  /** The party that a name belongs to. */
  let party: Word = 'name';
  const found = parts.flatMap(({ name, value }, index) => {
    const isBehind = at !== -1 && index > at;
    party = PARTIES[name] ?? (name === 'CNTP' || name === 'REMI' ? 'name' : party);
    if (isBehind && OF_THE_BANK.has(name)) return [];
    return saidBy(name, value, party).map(([word, said]) => ({ word, value: said, isBehind }));
  });
  const words = wordsThatCount(found);
  if (remittance.reference !== null) words.set('creditorReference', remittance.reference);
  return { words, texts: remittance.texts };
}

function saidBy(name: string, value: string, party: Word): readonly (readonly [Word, string])[] {
  const word = WORDS[name];
  if (word === 'purpose') return [[word, value.replace(/^CD\//, '')]];
  if (word !== undefined) return [[word, value]];
  if (name === 'NAME' || name in PARTIES) return [[party, value]];
  if (name === 'RTRN') return [['returnReason', /[A-Z]{2}\d{2}/.exec(value)?.[0] ?? value]];
  if (name !== 'CNTP') return [];
  const [account = '', bic = '', holder = ''] = value.split('/');
  return [
    ['account', account],
    ['bic', bic],
    ['name', holder],
  ];
}

/** `USTD//text`, `STRD/CUR/reference`, or the text alone. */
function remittanceIn(value: string): { readonly texts: readonly string[]; readonly reference: string | null } {
  const structured = /^STRD\/[A-Z]{3}\/(.*)$/.exec(value)?.[1];
  if (structured !== undefined) return { texts: [], reference: structured.trim() || null };
  const text = value.replace(/^USTD\/{1,2}/, '').trim();
  return { texts: text === '' ? [] : [text], reference: null };
}
