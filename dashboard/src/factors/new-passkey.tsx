/** Makes a passkey on this device, and gives it a name by which its owner knows it later. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { door } from './door.ts';
import { FormFault } from './form-fault.tsx';
import { deviceOf } from './device.ts';
import { useAttempt } from './use-attempt.ts';
import { hasPasskeys, makePasskey } from './webauthn.ts';

interface Props {
  onMade(): Promise<void> | void;
  /** Asks for a name first; otherwise the device's own is taken. */
  readonly asksName?: boolean;
}

export function NewPasskey({ onMade, asksName = false }: Props) {
  const [name, setName] = useState(() => deviceOf(navigator.userAgent));
  const attempt = useAttempt(['name']);
  if (!hasPasskeys()) {
    return (
      <p className="form-note">
        Passkeys work here only by https, or at http://localhost. Use a password and an app instead.
      </p>
    );
  }
  const make = async () => {
    await door.addPasskey(await makePasskey(await door.newPasskey()), name.trim() || deviceOf(navigator.userAgent));
    await onMade();
  };
  return (
    <div className="form-stack">
      {asksName && (
        <TextInput
          label="Name of the passkey"
          description="So that you know later which device it is on."
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
          error={attempt.of('name')}
        />
      )}
      <FormFault text={attempt.text} />
      <Button fullWidth size="md" loading={attempt.isBusy} onClick={() => void attempt.run(make)} data-autofocus>
        Make a passkey
      </Button>
    </div>
  );
}
