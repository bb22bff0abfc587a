/** Which of the dialogs of a page is open, at most one: `<Confirm {...asked.of('revoke')} …>` opens by `asked.ask('revoke')`. */
import { useState } from 'react';

export interface Asked<Name extends string> {
  ask(name: Name): void;
  of(name: Name): { readonly isOpen: boolean; close(): void };
}

export function useAsked<Name extends string>(): Asked<Name> {
  const [asked, setAsked] = useState<Name | null>(null);
  return { ask: setAsked, of: (name) => ({ isOpen: asked === name, close: () => setAsked(null) }) };
}
