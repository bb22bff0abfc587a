/**
 * Signing in: by passkey first, else by e-mail, password and the code of an app. The same form stands on its page and in the dialog over a page
 * whose session ended. It never says which of the three was wrong.
 */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { BursarError } from '../../api/client.ts';
import { door } from '../../factors/door.ts';
import { FormFault } from '../../factors/form-fault.tsx';
import { useAttempt } from '../../factors/use-attempt.ts';
import { hasPasskeys, usePasskey as signWithPasskey } from '../../factors/webauthn.ts';
import { CodeField, PasswordField, plainCode } from './fields.tsx';

interface Props {
  /** The session stands. */
  onSignedIn(): Promise<void> | void;
  /** Of the person whose session ended. */
  readonly email?: string | null;
}

/** The person has an app, and the code of it is missing. */
const wantsCodeToo = (fault: unknown): boolean =>
  BursarError.is(fault) && (fault.code as string) === 'second_factor_required';

export function Credentials({ onSignedIn, email: known }: Props) {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [wantsCode, setWantsCode] = useState(false);
  const passkey = useAttempt();
  const form = useAttempt(['email', 'password', 'code']);

  const signIn = async () => {
    await door.passkeyVerify(await signWithPasskey(await door.passkeyOptions()));
    await onSignedIn();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.run(async () => {
      const given = { email: email.trim(), password, ...(code !== '' && { code: plainCode(code) }) };
      try {
        await door.password(given);
      } catch (fault) {
        if (code !== '' || !wantsCodeToo(fault)) throw fault;
        return setWantsCode(true); // the password was right: nothing is wrong yet
      }
      await onSignedIn();
    });
  };
  return (
    <>
      {hasPasskeys() && (
        <div className="form-stack">
          <Button
            fullWidth
            size="md"
            loading={passkey.isBusy}
            disabled={form.isBusy}
            onClick={() => void passkey.run(signIn)}
            data-autofocus
          >
            Sign in with a passkey
          </Button>
          <FormFault text={passkey.text} />
          <div className="signin-or">or</div>
        </div>
      )}
      <form className="form-stack" onSubmit={submit} noValidate>
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={form.of('email')}
        />
        <PasswordField value={password} onChange={setPassword} error={form.of('password')} />
        {wantsCode && <CodeField value={code} onChange={setCode} error={form.of('code')} isFirst />}
        <FormFault text={form.text} />
        <Button
          type="submit"
          variant={hasPasskeys() ? 'default' : 'filled'}
          fullWidth
          loading={form.isBusy}
          disabled={passkey.isBusy || email.trim() === '' || password === '' || (wantsCode && code.trim() === '')}
        >
          Sign in
        </Button>
      </form>
    </>
  );
}
