/** Filters as text of an address, and back. The hook: `filters.ts`. */

type Kind = 'one' | 'many';
export type FilterSpec = Readonly<Record<string, Kind>>;
export type FilterValues<S extends FilterSpec> = {
  readonly [Name in keyof S]: S[Name] extends 'many' ? readonly string[] : string;
};

/** Repeated names and `a,b` both count as many. */
export function readFilters<S extends FilterSpec>(spec: S, search: string): FilterValues<S> {
  const given = new URLSearchParams(search);
  const values = Object.entries(spec).map(([name, kind]) => {
    const all = given.getAll(name).flatMap((each) => (kind === 'many' ? each.split(',') : [each]));
    const kept = all.filter((each) => each !== '');
    return [name, kind === 'many' ? kept : (kept[0] ?? '')];
  });
  return Object.fromEntries(values) as FilterValues<S>;
}

/** The query with these filters, and with whatever else it had. Empty ones are left out. */
export function writeFilters<S extends FilterSpec>(spec: S, search: string, values: FilterValues<S>): string {
  const query = new URLSearchParams(search);
  for (const name of Object.keys(spec)) {
    query.delete(name);
    const value: string | readonly string[] = values[name] ?? '';
    const text = typeof value === 'string' ? value : value.join(',');
    if (text !== '') query.set(name, text);
  }
  return query.toString().replaceAll('%2C', ',');
}
