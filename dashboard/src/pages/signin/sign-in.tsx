/**
 * Everything before the dashboard: a one-time link, the first sign-in of a person, and signing in. It is shown while nobody is signed in, while the
 * address carries a link, and while the person has no factor yet.
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { BursarError } from '../../api/client.ts';
import { sentenceOf, troubleOf } from '../../api/errors.ts';
import { useRefreshSession } from '../../api/session.ts';
import type { SessionAnswer } from '../../api/shapes.ts';
import { Credentials } from './credentials.tsx';
import { Enrol } from './enrol.tsx';
import { FormFault } from '../../factors/form-fault.tsx';
import { SignInFrame } from './frame.tsx';
import { enrolLater } from './later.ts';
import { openLink, takeLink } from './link.ts';
import { type Link, linkIn } from './link-form.ts';

interface Props {
  readonly session: SessionAnswer;
}

/** From the start, with who is signed in now. */
const enter = (): void => location.reload();

export function SignIn({ session }: Props) {
  const [link, setLink] = useState(takeLink);
  const refresh = useRefreshSession();
  useEffect(() => {
    document.title = 'Sign in · Bursar';
    // A link that is pasted over this page changes the fragment alone: the browser loads nothing by itself.
    const onLink = () => linkIn(location.hash) !== null && enter();
    addEventListener('hashchange', onLink);
    return () => removeEventListener('hashchange', onLink);
  }, []);
  if (link !== null) return <LinkPage link={link} onOpened={refresh} giveUp={() => setLink(null)} />;
  const { person, needs, environments = [] } = session;
  if (person === null) {
    return (
      <SignInFrame title="Sign in" foot="No way in? Whoever runs the service makes you a link: bursar dashboard login">
        <Credentials onSignedIn={enter} />
      </SignInFrame>
    );
  }
  if (needs !== 'enrol') return <Entered />;
  const later = () => {
    enrolLater();
    enter();
  };
  return (
    <Enrol
      person={person}
      onDone={enter}
      onLater={environments.some(({ mode }) => mode === 'sandbox') ? later : null}
    />
  );
}

/** Nothing is left to do here: a link has signed in somebody who has all that is needed. */
function Entered() {
  useEffect(enter, []);
  return null;
}

const LEADS: Readonly<Record<Link['kind'], string>> = {
  claim: 'Setting up your dashboard …',
  invite: 'Opening your invitation …',
  reset: 'Opening your link …',
  login: 'Signing you in …',
};

interface LinkProps {
  readonly link: Link;
  onOpened(): Promise<void>;
  giveUp(): void;
}

function LinkPage({ link, onOpened, giveUp }: LinkProps) {
  const opened = useQuery({
    queryKey: ['link', link.token],
    queryFn: async () => {
      const claimed = await openLink(link);
      await onOpened();
      giveUp();
      return claimed;
    },
    retry: false,
    staleTime: Infinity,
  });
  if (opened.error === null) {
    return (
      <SignInFrame title="One moment">
        <p className="signin-lead">{LEADS[link.kind]}</p>
      </SignInFrame>
    );
  }
  if (BursarError.is(opened.error) && (opened.error.code as string) === 'link_not_yours') {
    return (
      <SignInFrame title="Sign in first" lead="You have been here before. Sign in, and the link adds to what you have.">
        <Credentials onSignedIn={() => void opened.refetch()} />
      </SignInFrame>
    );
  }
  if (troubleOf(opened.error) === 'away') {
    return (
      <SignInFrame title="Not yet" foot="The link is kept while this page is open.">
        <div className="form-stack">
          <FormFault text={sentenceOf(opened.error)} />
          <Button fullWidth loading={opened.isFetching} onClick={() => void opened.refetch()}>
            Try again
          </Button>
        </div>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title="This link does not work" foot="A link works once, and only for a while. Ask for a new one.">
      <div className="form-stack">
        <FormFault text={sentenceOf(opened.error)} />
        <Button variant="default" fullWidth onClick={giveUp}>
          Go to sign-in
        </Button>
      </div>
    </SignInFrame>
  );
}
