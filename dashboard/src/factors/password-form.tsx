/** A new password. Its length is all that is asked of it here; the server also refuses the most common ones. */
import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { door } from './door.ts';
import { FormFault } from './form-fault.tsx';
import { useAttempt } from './use-attempt.ts';

const PASSWORD_CHARACTERS = { min: 12, max: 128 };

interface Props {
  readonly name: string;
  /** By which the person signs in. */
  readonly email: string;
  /** Signs in by it at once, where the session came from a link: what follows wants a session that is as good as that. */
  readonly signsIn?: boolean;
  readonly verb?: string;
  onSet(): Promise<void> | void;
}

export function PasswordForm({ name, email, signsIn = false, verb = 'Go on', onSet }: Props) {
  const [password, setPassword] = useState('');
  const attempt = useAttempt(['password']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt.run(async () => {
      await door.person({ name, password });
      if (signsIn) await door.password({ email, password });
      await onSet();
    });
  };
  return (
    <form className="form-stack" onSubmit={submit} noValidate>
      <input type="email" hidden autoComplete="username" value={email} readOnly />
      <PasswordInput
        label="New password"
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
        {verb}
      </Button>
    </form>
  );
}
