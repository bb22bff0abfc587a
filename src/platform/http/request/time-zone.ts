/** A time zone as a parameter: an IANA name that `Intl` knows. */
import { invalid, type Param, param } from './param.ts';

export const timeZone = (description: string): Param<string> =>
  param({ description, example: 'Europe/Berlin' }, { type: 'string', maxLength: 60 }, (value, path) => {
    if (typeof value === 'string' && isTimeZone(value)) return value;
    throw invalid(path, value, 'the IANA name of a time zone, such as Europe/Berlin');
  });

/** Intl knows them all, and throws for others. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(?:\/[A-Za-z_+\-0-9]+)*$/.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
