/**
 * The session ended while a page was open: sign in over it and go on. The page beneath keeps what was typed. If somebody else signs in, the page is
 * loaded anew, since it shows what another person saw.
 */
import { Button, Modal } from '@mantine/core';
import { door as call } from '../../api/client.ts';
import type { Person, SessionAnswer } from '../../api/shapes.ts';
import { Credentials } from './credentials.tsx';
import './signin.css';

interface Props {
  /** Whose page it is. */
  readonly person: Person;
  /** Signed in again. */
  done(): void;
}

export function SignInAgain({ person, done }: Props) {
  const goOn = async () => {
    const { person: now } = await call<SessionAnswer>('GET', 'session');
    if (now?.id !== person.id) location.reload();
    else done();
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
    >
      <p className="signin-lead">Sign in to go on. What you typed on this page stays.</p>
      <Credentials onSignedIn={goOn} email={person.email} />
      <div className="buttons">
        <Button variant="subtle" mt="sm" onClick={() => location.assign('/dashboard')}>
          Leave this page
        </Button>
      </div>
    </Modal>
  );
}
