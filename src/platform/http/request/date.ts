/** Parameters that are days. */
import { type About, invalid, isNone, type Notation, type Param, param, type Tree } from './param.ts';

/** A calendar day that exists, `2026-11-21`, as text; with `clearable`, null (in a form '') unsets the field: it is '' then. */
export function date(about: About & { readonly clearable?: boolean }): Param<string> {
  const { clearable = false } = about;
  const schema = { type: clearable ? ['string', 'null'] : 'string', format: 'date' } as const;
  const parse = (value: Tree, path: string, notation: Notation) => {
    if (clearable && isNone(value, notation)) return '';
    if (typeof value === 'string' && /^[1-9]\d{3}-\d\d-\d\d$/.test(value)) {
      const atMs = Date.parse(`${value}T00:00:00Z`);
      // Date.parse takes 31 February for 3 March; the round trip does not.
      if (!Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(value)) return value;
    }
    throw invalid(path, value, 'a calendar day such as 2026-11-21');
  };
  return { ...param({ example: '2026-11-21', ...about }, schema, parse), clearable, nullable: clearable };
}
