/** A key in words. */
import { type Mark, State } from '../../ui/state.tsx';

const STATES: Readonly<Record<string, readonly [Mark, string]>> = {
  active: ['done', 'Active'],
  expired: ['off', 'Expired'],
  revoked: ['off', 'Revoked'],
};

export function KeyState({ status }: { readonly status: string }) {
  const [mark, word] = STATES[status] ?? ['wait', status];
  return <State mark={mark} word={word} />;
}
