/** The suggestions of entries that are read, in a few queries for a page. What is suggested: `suggestions.ts`. */
import type { BankEntry, Suggestion } from '../statements/fields.ts';
import { inSlices } from '../../platform/http/slices.ts';
import { type CandidateParts, candidatesFor } from './candidates.ts';
import { type Sought, soughtIn, suggestionsFor } from './suggestions.ts';

/** Entries that are looked at in one turn of the event loop: their texts are those of strangers. */
const SLICE = 10;

/** The entries in their order, those without a place with their suggestions. */
export async function withSuggestions(
  parts: CandidateParts,
  environmentId: string,
  entries: readonly BankEntry[],
): Promise<readonly (BankEntry & { readonly suggestions?: readonly Suggestion[] })[]> {
  const sought: Sought[] = [];
  for await (const entry of inSlices(entries, SLICE)) if (entry.status === 'unmatched') sought.push(soughtIn(entry));
  if (sought.length === 0) return entries;
  const candidates = await candidatesFor(parts, environmentId, sought);
  const found = new Map<string, readonly Suggestion[]>();
  for await (const each of inSlices(sought, SLICE)) found.set(each.entry.id, suggestionsFor(each, candidates));
  return entries.map((entry) => {
    const suggestions = found.get(entry.id);
    return suggestions === undefined ? entry : { ...entry, suggestions };
  });
}
