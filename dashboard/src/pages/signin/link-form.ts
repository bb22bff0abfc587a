/** What a one-time link looks like: `#invite=…` behind the address of the dashboard. Pure. Who opens it: `link.ts`. */

/** `claim`: the first admin of an installation. `invite`: one more person. `reset`, `login`: a person who is known. */
export type LinkKind = 'claim' | 'invite' | 'reset' | 'login';

export interface Link {
  readonly kind: LinkKind;
  readonly token: string;
}

const FORM = /^#(claim|invite|reset|login)=([\w.~-]{16,200})$/;

/** Null for everything else. */
export const linkIn = (fragment: string): Link | null => {
  const [, kind, token] = FORM.exec(fragment) ?? [];
  return kind === undefined || token === undefined ? null : { kind: kind as LinkKind, token };
};
