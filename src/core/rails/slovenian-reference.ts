/**
 * Slovenian references: `SI`, the number of a model, and up to three parts with hyphens between them, of which the model says where check
 * digits are. Source: rules for the forming and use of standardised references (Uradni list RS 34/2019, annex 1), check digits modulo 11. Pure.
 */
import { withoutBlanks } from './blanks.ts';

/** Which parts of a model end in a check digit; two figures are parts that have one together. */
const CHECKED: Readonly<Record<string, string>> = {
  '00': '',
  '01': '123',
  '02': '2 3',
  '03': '1 2 3',
  '04': '1 3',
  '05': '1',
  '06': '23',
  '07': '2',
  '08': '12 3',
  '09': '12',
  '10': '1 23',
  '11': '1 2',
  '12': '1',
  '18': '1 2',
  '19': '1 2',
  '21': '1 2',
  '28': '1 2',
  '31': '1 2',
  '38': '1 2',
  '40': '1 2',
  '41': '1 2',
  '48': '1 2',
  '49': '1 2',
  '51': '1 2',
  '55': '1',
  '58': '1 2',
};
const WITHOUT_CONTENT = 'SI99';
const MOST_DIGITS = 20;

/** As banks take it: without blanks, with its hyphens. `null`: no such model, or its check digits are wrong. */
export function parseSi(text: string): string | null {
  const reference = withoutBlanks(text).toUpperCase();
  if (reference === WITHOUT_CONTENT) return reference;
  const [, model = '', content = ''] = /^SI(\d\d)(\d+(?:-\d+){0,2})$/.exec(reference) ?? [];
  const checked = CHECKED[model];
  const parts = content.split('-');
  if (checked === undefined || parts.join('').length > MOST_DIGITS) return null;
  const isRight = checked
    .split(' ')
    .map((group) => [...group].map((place) => parts[Number(place) - 1] ?? '').join(''))
    .every((digits) => digits === '' || isChecked(digits));
  return isRight && content !== '' ? reference : null;
}

/** Weights 2, 3, 4 and so on from the right; ten and eleven are written 0. */
function isChecked(digits: string): boolean {
  const body = digits.slice(0, -1);
  const sum = [...body].reduce((all, digit, at) => all + Number(digit) * (body.length + 1 - at), 0);
  const check = 11 - (sum % 11);
  return body !== '' && Number(digits.slice(-1)) === (check > 9 ? 0 : check);
}
