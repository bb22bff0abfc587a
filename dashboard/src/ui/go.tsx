/** A link inside the environment: `<Go to="/payouts">` leads to `/dashboard/sandbox/payouts` where the page is one of the sandbox. */
import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import { useHere } from '../api/environment.tsx';

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: string;
}

export function Go({ to, ...rest }: Props) {
  const { mode } = useHere();
  return <Link {...rest} href={`/${mode}${to}`} />;
}
