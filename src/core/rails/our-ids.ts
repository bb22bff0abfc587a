/** Ids of ours in what banks quote, which do not leave them as they went out. Pure. Where they go out: `iso20022/write/identifiers.ts`. */
import { isId } from '../values/ids.ts';

/** Most quotes are of others, and an entry may have 100,000: the rest is looked at only of those that begin so. */
const BEGINS = { po: /^[^0-9A-Za-z]*[Pp][^0-9A-Za-z]*[Oo]/, pf: /^[^0-9A-Za-z]*[BPbp][^0-9A-Za-z]*[Ff]/ };
/** Files of older copies went out as `BF…`, and banks quote them for months (decision 0092). */
const AS_SENT = { po: /^po/, pf: /^[bp]f/ };

/** Our id in what a bank quotes: it went out in upper case and without `_`, and banks may have put blanks or hyphens into it. */
export function ourIdIn(prefix: 'po' | 'pf', quoted: string | null): string | null {
  if (quoted === null || !BEGINS[prefix].test(quoted)) return null;
  const text = quoted.replaceAll(/[^0-9A-Za-z]/g, '').toLowerCase();
  const id = `${prefix}_${text.slice(2)}`;
  return AS_SENT[prefix].test(text) && isId(prefix, id) ? id : null;
}
