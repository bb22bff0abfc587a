/** The whole page while nobody is signed in, while a link of an invitation is in the address, or while a person has to enrol. */
import type { SessionAnswer } from '../../api/shapes.ts';

interface Props {
  readonly session: SessionAnswer;
}

export function SignIn({ session }: Props) {
  return <main>{session.person === null ? 'Sign in' : session.person.name}</main>;
}
