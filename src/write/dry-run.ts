/**
 * The answer to a dry run: what would have been answered, with `dry_run`, and without what only exists if it happens: the ids of new
 * objects and transfers, and the address of a new page are null. Text in, text out: amounts stay exactly as they are.
 */
import type { Change } from '../core/state.ts';

const ID = /"([a-z]+_[0-9a-hjkmnp-tv-z]{26})"/g;
/** Behind the beginning of an object of its own in the answer. */
const OBJECT = /^\{|(?<="payout":)\{/g;

export function dryRunBody(body: string, changes: readonly Change[]): string {
  const unmade = new Set<string>();
  const addresses: string[] = [];
  for (const change of changes) {
    if (change.kind === 'transfer') unmade.add(change.transfer.id);
    if (change.kind !== 'object' || !change.isNew) continue;
    unmade.add(change.object.id);
    if (change.object.object === 'payment_link') addresses.push(JSON.stringify(change.object.url));
  }
  let text = body.replace(ID, (quoted, id: string) => (unmade.has(id) ? 'null' : quoted));
  for (const address of addresses) text = text.replace(`"url":${address}`, '"url":null');
  return text.replace(OBJECT, '{"dry_run":true,');
}
