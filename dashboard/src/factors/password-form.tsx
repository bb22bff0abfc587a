/** A new password. Its length is all that is asked of it here; the server also refuses the most common ones. */
import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Person } from '../api/shapes.ts';
import { door } from './door.ts';
import { FormFault } from './form-fault.tsx';
import { useAttempt } from './use-attempt.ts';

const PASSWORD_CHARACTERS = { min: 12, max: 128 };

interface PasswordProps {
  readonly person: Person;
  onSet(): void;
}

export function PasswordForm({ person, onSet }: PasswordProps) {
  const [password, setPassword] = useState('');
  const attempt = useAttempt(['password']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt.run(async () => {
      await door.person({ password });
      onSet();
    });
  };
  return (
    <form className="form-stack" onSubmit={submit} noValidate>
      {person.email !== null && <input type="hidden" autoComplete="username" value={person.email} readOnly />}
      <PasswordInput
        label="Password"
        description="At least 12 characters. A few words in a row are good; signs and digits are not asked for."
        autoComplete="new-password"
        value={password}
        maxLength={PASSWORD_CHARACTERS.max}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={attempt.of('password')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
      <FormFault text={attempt.text} />
      <Button type="submit" fullWidth loading={attempt.isBusy} disabled={password.length < PASSWORD_CHARACTERS.min}>
        Go on
      </Button>
    </form>
  );
}
