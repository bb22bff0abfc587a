/** Over the page when the session has ended; what was typed below stays. `done` after somebody has signed in. */
interface Props {
  done(): void;
}

export function SignInAgain(_props: Props) {
  return null;
}
