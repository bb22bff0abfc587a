/** What stands around every page of the sign-in: the name of the thing, one card, and a sentence beneath. */
import type { ReactNode } from 'react';
import './signin.css';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

export function SignInFrame({ title, lead, foot, children }: Props) {
  return (
    <main className="signin">
      <p className="signin-brand">Bursar</p>
      <section className="signin-card" aria-labelledby="signin-title">
        <h1 id="signin-title">{title}</h1>
        {lead !== undefined && <p className="signin-lead">{lead}</p>}
        {children}
      </section>
      {foot !== undefined && <p className="signin-foot">{foot}</p>}
    </main>
  );
}
