/** Our ids as banks quote them: in upper case, without `_`, cut up by blanks and hyphens; and those of files that older copies sent. */
import { expect, it } from 'vitest';
import { ourIdIn } from './our-ids.ts';

const ID = '01jd3v9q4ne8v8k3w2m6r5t7xa';
const QUOTED = ID.toUpperCase();

it.each([
  ['po', `PO${QUOTED}`, `po_${ID}`],
  ['po', ` po-${ID.slice(0, 10)} ${ID.slice(10)}`, `po_${ID}`],
  ['pf', `PF${QUOTED}`, `pf_${ID}`],
  ['pf', `BF${QUOTED}`, `pf_${ID}`], // sent by an older copy
  ['pf', `b f ${ID}`, `pf_${ID}`],
  ['po', `PF${QUOTED}`, null],
  ['po', `BO${QUOTED}`, null],
  ['pf', `PO${QUOTED}`, null],
  ['pf', `BF${QUOTED}0`, null],
  ['pf', `XBF${QUOTED}`, null],
  ['pf', null, null],
] as const)('%s in %j is %j', (prefix, quoted, id) => expect(ourIdIn(prefix, quoted)).toBe(id));
