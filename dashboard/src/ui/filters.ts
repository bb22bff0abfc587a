/**
 * Filters live in the address, so that a reload, Back and a sent link keep them; each change takes the place of the last one
 * and is no step of the history.
 *
 *     const filters = useFilters({ status: 'many', created_from: 'one' });
 *     filters.values.status; filters.set({ status: ['paid'] }); filters.clear();
 */
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { type FilterSpec, type FilterValues, readFilters, writeFilters } from './filter-values.ts';

export type { FilterSpec, FilterValues };

export interface Filters<S extends FilterSpec> {
  readonly values: FilterValues<S>;
  readonly isFiltered: boolean;
  set(change: Partial<FilterValues<S>>): void;
  clear(): void;
}

export function useFilters<S extends FilterSpec>(spec: S): Filters<S> {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const values = useMemo(() => readFilters(spec, search), [search]);
  // As the address is now, and not as it was when this was drawn: two changes at once keep each other.
  const go = (change: (now: FilterValues<S>) => FilterValues<S>) => {
    const query = writeFilters(spec, location.search, change(readFilters(spec, location.search)));
    navigate(query === '' ? path : `${path}?${query}`, { replace: true });
  };
  return {
    values,
    isFiltered: Object.values(values).some((value) => value.length > 0),
    set: (change) => go((now) => ({ ...now, ...change })),
    clear: () => go(() => readFilters(spec, '')),
  };
}
