/**
 * Asks for a factor once more before something that counts: over the page, so that nothing that was typed is lost. The write then goes on with the
 * idempotency key that it had (`api/writes.ts`). Mounted once, in the shell.
 */
import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useRefreshSession, useSession } from '../../api/session.ts';
import { type Asked, onAskForFactor } from '../../api/step-up.ts';
import { door } from '../../factors/door.ts';
import { FormFault } from '../../factors/form-fault.tsx';
import { useAttempt } from '../../factors/use-attempt.ts';
import { hasPasskeys, usePasskey as signWithPasskey } from '../../factors/webauthn.ts';
import './signin.css';

export function StepUpDialog() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => onAskForFactor(setAsked), []);
  if (asked === null) return null;
  const close = (how: 'done' | 'declined') => {
    setAsked(null);
    asked[how]();
  };
  return (
    <Modal
      opened
      onClose={() => close('declined')}
      title="Confirm that it is you"
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnClickOutside={false}
    >
      <Factors onShown={() => close('done')} onClose={() => close('declined')} />
    </Modal>
  );
}

function Factors({ onShown, onClose }: { onShown(): void; onClose(): void }) {
  const { data: session } = useSession();
  const refresh = useRefreshSession();
  const [code, setCode] = useState('');
  const attempt = useAttempt(['code']);
  const methods = session?.person?.methods ?? [];
  const hasPasskey = hasPasskeys() && methods.includes('passkey');
  const hasApp = methods.includes('totp') || session?.person?.second_factor === 'totp';
  const show = (work: () => Promise<unknown>) =>
    void attempt.run(async () => {
      await work();
      await refresh();
      onShown();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    show(() => door.stepUp({ code: code.replaceAll(' ', '') }));
  };
  return (
    <div className="form-stack">
      <p className="signin-lead">
        This changes something that counts, so the service asks once more. It then goes on with what you began.
      </p>
      {hasPasskey && (
        <Button
          fullWidth
          loading={attempt.isBusy}
          data-autofocus
          onClick={() =>
            show(async () => door.stepUp({ assertion: await signWithPasskey(await door.stepUpOptions()) }))
          }
        >
          Use your passkey
        </Button>
      )}
      {hasApp && (
        <form className="form-stack" onSubmit={submit} noValidate>
          <TextInput
            label="Code of your app"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            maxLength={30}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={attempt.of('code')}
            data-autofocus={!hasPasskey || undefined}
          />
          <Button
            type="submit"
            fullWidth
            variant={hasPasskey ? 'default' : 'filled'}
            loading={attempt.isBusy}
            disabled={code.replaceAll(' ', '').length < 6}
          >
            Confirm
          </Button>
        </form>
      )}
      {!hasPasskey && !hasApp && (
        <p className="form-note">
          You have no passkey and no app yet. Add one under your name, at the top right, then try again.
        </p>
      )}
      <FormFault text={attempt.text} />
      <div className="form-row form-row-end">
        <Button variant="subtle" onClick={onClose}>
          Not now
        </Button>
      </div>
    </div>
  );
}
