/**
 * The one-time link that led here: `#claim=…`, `#invite=…`, `#reset=…` or `#login=…`. It is read once, and taken out of the address at once, so
 * that it stands in no history, no bookmark and no screenshot. Call {@link takeLink} before anything is shown.
 */
import type { SessionAnswer } from '../../api/shapes.ts';
import { door, type LinkKind } from '../../factors/door.ts';

export interface Link {
  readonly kind: LinkKind;
  readonly token: string;
}

const FORM = /^#(claim|invite|reset|login)=([\w.~-]{16,200})$/;

let taken: Link | null | undefined;
let opening: Promise<SessionAnswer> | undefined;

export const linkIn = (fragment: string): Link | null => {
  const [, kind, token] = FORM.exec(fragment) ?? [];
  return kind === undefined || token === undefined ? null : { kind: kind as LinkKind, token };
};

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
