/** A person in words. */
import type { User } from '../../api/shapes.ts';
import { type Mark, State } from '../../ui/state.tsx';

export const nameOf = ({ name, email, id }: User): string => name ?? email ?? id;

const STATES: Readonly<Record<User['status'], readonly [Mark, string]>> = {
  active: ['done', 'Active'],
  invited: ['wait', 'Invited'],
  suspended: ['off', 'Suspended'],
};

export function UserState({ status }: { readonly status: User['status'] }) {
  const [mark, word] = STATES[status];
  return <State mark={mark} word={word} />;
}

const FACTORS: Readonly<Record<User['second_factor'], string>> = {
  none: 'None',
  passkey: 'Passkey',
  totp: 'App with codes',
};
export const factorInWords = ({ second_factor: factor }: User): string => FACTORS[factor];
