/**
 * Which row of a list is open beside it: `?open=evt_…`, so that choosing another one neither loads the list anew nor moves it. The address
 * `/events/evt_…`, which ids link to, opens the same.
 */
import { useParams, useSearch } from 'wouter';

export interface Open {
  readonly id: string | null;
  /** Opens a row, and keeps the filters. */
  hrefOf(id: string): string;
  /** The list alone, with its filters. */
  readonly back: string;
}

/** `base`: `/events`. */
export function useOpen(base: string): Open {
  const params = useParams() as { readonly id?: string };
  const search = useSearch();
  const query = new URLSearchParams(search);
  const id = query.get('open') ?? params.id ?? null;
  const at = (open: string | null): string => {
    const next = new URLSearchParams(search);
    if (open === null) next.delete('open');
    else next.set('open', open);
    const text = next.toString().replaceAll('%2C', ',');
    return text === '' ? base : `${base}?${text}`;
  };
  return { id, hrefOf: at, back: at(null) };
}
