/**
 * Filters live in the address, so that a reload, Back and a sent link keep them; each change takes the place of the last one
 * and is no step of the history.
 *
 *     const filters = useFilters({ status: 'many', created_from: 'one' });
 *     filters.values.status; filters.set({ status: ['paid'] }); filters.clear();
 */
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

type Kind = 'one' | 'many';
export type FilterSpec = Readonly<Record<string, Kind>>;
export type FilterValues<S extends FilterSpec> = {
  readonly [Name in keyof S]: S[Name] extends 'many' ? readonly string[] : string;
};

export interface Filters<S extends FilterSpec> {
  readonly values: FilterValues<S>;
  readonly isFiltered: boolean;
  set(change: Partial<FilterValues<S>>): void;
  clear(): void;
}

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

export function useFilters<S extends FilterSpec>(spec: S): Filters<S> {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const values = useMemo(() => readFilters(spec, search), [search]);
  const go = (next: FilterValues<S>) => {
    const query = writeFilters(spec, search, next);
    navigate(query === '' ? path : `${path}?${query}`, { replace: true });
  };
  return {
    values,
    isFiltered: Object.values(values).some((value) => value.length > 0),
    set: (change) => go({ ...values, ...change }),
    clear: () => go(readFilters(spec, '')),
  };
}
