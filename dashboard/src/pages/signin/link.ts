/**
 * The one-time link that led here: `#claim=…`, `#invite=…`, `#reset=…` or `#login=…`. It is read once, and taken out of the address at once, so
 * that it stands in no history, no bookmark and no screenshot. Call {@link takeLink} before anything is shown.
 */
import type { SessionAnswer } from '../../api/shapes.ts';
import { door } from '../../factors/door.ts';
import { type Link, linkIn } from './link-form.ts';

let taken: Link | null | undefined;
let opening: Promise<SessionAnswer> | undefined;

/** The same answer however often it is asked; null where the address names none. */
export function takeLink(): Link | null {
  if (taken === undefined) {
    taken = linkIn(location.hash);
    if (taken !== null) history.replaceState(history.state, '', location.pathname + location.search);
  }
  return taken;
}

/** Sent once, since a link opens once; again only after a refusal. */
export function openLink(link: Link): Promise<SessionAnswer> {
  opening ??= door.claim(link.token).catch((fault: unknown) => {
    opening = undefined;
    throw fault;
  });
  return opening;
}
