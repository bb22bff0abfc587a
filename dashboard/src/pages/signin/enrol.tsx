/**
 * The first sign-in of a person, after a link: what they are called, then a passkey, or a password with an app. Without one of the two nothing
 * in live opens; whoever only wants to look at the sandbox may do it later.
 */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Person } from '../../api/shapes.ts';
import { door } from '../../factors/door.ts';
import { FormFault } from '../../factors/form-fault.tsx';
import { NewApp } from '../../factors/new-app.tsx';
import { NewPasskey } from '../../factors/new-passkey.tsx';
import { PasswordForm } from '../../factors/password-form.tsx';
import { useAttempt } from '../../factors/use-attempt.ts';
import { hasPasskeys } from '../../factors/webauthn.ts';
import { SignInFrame } from './frame.tsx';

type Step = 'name' | 'passkey' | 'password' | 'app';

interface Props {
  readonly person: Person;
  onDone(): Promise<void> | void;
  /** Null where a factor is wanted now. */
  readonly onLater: (() => void) | null;
}

interface Named {
  readonly name: string;
  readonly email: string;
}

const TITLES: Readonly<Record<Step, string>> = {
  name: 'Welcome',
  passkey: 'How do you want to sign in?',
  password: 'Choose a password',
  app: 'Add an app that makes codes',
};

/** Whoever has a password already, and no second factor, begins at the second factor. */
const firstStep = ({ methods }: Person): Step =>
  !methods.includes('password') ? 'name' : hasPasskeys() ? 'passkey' : 'app';

export function Enrol({ person, onDone, onLater }: Props) {
  const [step, setStep] = useState(() => firstStep(person));
  const [named, setNamed] = useState<Named>({ name: person.name ?? '', email: person.email ?? '' });
  const hasPassword = person.methods.includes('password');
  const onNamed = (next: Named) => {
    setNamed(next);
    setStep(hasPasskeys() ? 'passkey' : 'password');
  };
  return (
    <SignInFrame
      title={TITLES[step]}
      foot="Nothing is sent by e-mail. Whoever administers the dashboard can give you a new link."
    >
      {step === 'name' && <NameForm named={named} onNamed={onNamed} />}
      {step === 'passkey' && (
        <div className="form-stack">
          <p className="signin-lead">
            A passkey is kept on this device or in your password manager. You open it with your finger, your face or a
            PIN. There is no secret to learn, and nothing that a false page could take.
          </p>
          <NewPasskey onMade={onDone} />
          <Button variant="subtle" onClick={() => setStep(hasPassword ? 'app' : 'password')}>
            {hasPassword ? 'Use an app that makes codes instead' : 'Use a password and an app instead'}
          </Button>
        </div>
      )}
      {step === 'password' && <PasswordForm {...named} signsIn onSet={() => setStep('app')} />}
      {step === 'app' && <NewApp onReady={onDone} />}
      {step !== 'name' && onLater !== null && (
        <Button variant="subtle" fullWidth mt="sm" onClick={onLater}>
          Later: look at the sandbox first
        </Button>
      )}
    </SignInFrame>
  );
}

function NameForm({ named, onNamed }: { readonly named: Named; onNamed(named: Named): void }) {
  const [name, setName] = useState(named.name);
  const [email, setEmail] = useState(named.email);
  const attempt = useAttempt(['name', 'email']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = { name: name.trim(), email: email.trim() };
    void attempt.run(async () => {
      await door.person(given.email === named.email ? { name: given.name } : given);
      onNamed(given);
    });
  };
  return (
    <form className="form-stack" onSubmit={submit} noValidate>
      <p className="signin-lead">Your name stands beside everything that you do here.</p>
      <TextInput
        label="Your name"
        autoComplete="name"
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
        error={attempt.of('name')}
        autoFocus
      />
      <TextInput
        label="E-mail"
        description="By which you sign in with a password. Nothing is sent to it."
        type="email"
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={attempt.of('email')}
      />
      <FormFault text={attempt.text} />
      <Button type="submit" fullWidth loading={attempt.isBusy} disabled={name.trim() === '' || email.trim() === ''}>
        Go on
      </Button>
    </form>
  );
}
