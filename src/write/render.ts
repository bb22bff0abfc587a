/** Answers and objects of events as the exact JSON that leaves the service. Rendered once a batch: an object's text is kept with it. */
import type { Reply } from '../core/decision.ts';
import type { EventObject } from '../core/objects.ts';
import type { State, Change } from '../core/state.ts';
import { errorBody } from '../core/values/errors.ts';
import { renderAnswer, renderObject } from './slices.ts';
import type { Submission } from './submission.ts';

/** The text of an event's object; the reply about the same object reuses it. */
export function renderEventObject(object: EventObject, state: State): string {
  return textOf(object, state) as string;
}

export function renderReply(
  reply: Reply,
  state: State,
  atMs: number,
  { origin, baseUrl }: Pick<Submission, 'origin' | 'baseUrl'>,
): string {
  const { livemode } = state.environment;
  return (
    textOf(reply, state) ??
    renderAnswer(reply, livemode, {
      atMs,
      text: (object) => textOf(object, state) as string,
      refused: (refusal) => errorBody(refusal, origin.requestId, baseUrl),
    })
  );
}

/** `undefined`: it is no object, but an answer with a form of its own. */
function textOf(object: Reply, { rendered, environment }: State): string | undefined {
  const known = rendered.get(object);
  if (known !== undefined) return known;
  const text = renderObject(object, environment.livemode);
  if (text !== undefined) rendered.set(object, text);
  return text;
}

const ID = /"([a-z]+_[0-9a-hjkmnp-tv-z]{26})"/g;
/** The first brace of each object that stands for itself in the answer. */
const OBJECT = /^\{|(?<="payout":|"recipient":|"expanded":\{"exchange":)\{/g;

/**
 * The answer to a dry run: the answer with `dry_run`, in which the ids of new objects and transfers, and the address of a new page, are
 * null: they exist only if it happens. A payout shows its exchange, whose price nobody could read elsewhere. Text in, text out: amounts
 * stay exactly as they are.
 */
export function dryRunBody(body: string, changes: readonly Change[], state: State): string {
  const unmade = new Set<string>();
  const addresses: string[] = [];
  for (const change of changes) {
    if (change.kind === 'transfer') unmade.add(change.transfer.id);
    if (change.kind !== 'object' || !change.isNew) continue;
    unmade.add(change.object.id);
    if (change.object.object === 'payment_link') addresses.push(JSON.stringify(change.object.url));
  }
  let text = priced(body, changes, state).replace(ID, (quoted, id: string) => (unmade.has(id) ? 'null' : quoted));
  for (const address of addresses) text = text.replace(`"url":${address}`, '"url":null');
  return text.replace(OBJECT, '{"dry_run":true,');
}

/** With the new exchange of each new payout beside its id, as `expand[]` shows one (decision record 0039). */
function priced(body: string, changes: readonly Change[], state: State): string {
  const made = changes.flatMap((change) => (change.kind === 'object' && change.isNew ? [change.object] : []));
  const exchanges = new Map(made.flatMap((each) => (each.object === 'exchange' ? [[each.id, each]] : [])));
  return made.reduce((text, payout) => {
    const exchange =
      payout.object === 'payout' && payout.exchange !== null ? exchanges.get(payout.exchange) : undefined;
    if (exchange === undefined) return text;
    const shown = textOf(payout, state) as string;
    const expanded = `,"expanded":{"exchange":${textOf(exchange, state)}}}`;
    return text.replace(shown, () => shown.slice(0, -1) + expanded);
  }, body);
}
