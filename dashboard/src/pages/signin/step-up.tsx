/**
 * Asks for a factor once more before something that counts: over the page, so that nothing that was typed is lost. The write then goes on with the
 * idempotency key that it had (`api/writes.ts`). Mounted once, in the shell. Who has a password alone signs in by it again.
 */
import { Button, Modal } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useRefreshSession, useSession } from '../../api/session.ts';
import type { Person } from '../../api/shapes.ts';
import { type Asked, onAskForFactor, type Seen } from '../../api/step-up.ts';
import { door } from '../../factors/door.ts';
import { FormFault } from '../../factors/form-fault.tsx';
import { type Attempt, useAttempt } from '../../factors/use-attempt.ts';
import { hasPasskeys, usePasskey as signWithPasskey } from '../../factors/webauthn.ts';
import { CodeField, PasswordField, plainCode } from './fields.tsx';

export function StepUpDialog() {
  // Several writes may wait for a factor: one dialog, and all go on. One that was replaced would never be answered. What a passkey signs is of one alone.
  const [asked, setAsked] = useState<readonly Asked[]>([]);
  const count = useRef(0);
  useEffect(() => onAskForFactor((next) => setAsked((before) => [...before, next])), []);
  const [first] = asked;
  if (first === undefined) return null;
  const close = (how: 'done' | 'declined') => {
    const stays = (each: Asked) => how === 'done' && each !== first && each.signs.length > 0;
    count.current += 1;
    setAsked((before) => before.filter(stays));
    for (const each of asked) if (!stays(each)) each[how]();
  };
  return (
    <Modal
      opened
      onClose={() => close('declined')}
      title="Confirm that it is you"
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnClickOutside={false}
      zIndex={300}
    >
      <Factors
        key={count.current}
        signs={first.signs}
        onShown={() => close('done')}
        onClose={() => close('declined')}
      />
    </Modal>
  );
}

interface FactorsProps {
  readonly signs: readonly Seen[];
  onShown(): void;
  onClose(): void;
}

function Factors({ signs, onShown, onClose }: FactorsProps) {
  const { data: session } = useSession();
  const refresh = useRefreshSession();
  const attempt = useAttempt(['code', 'password']);
  const person = session?.person ?? null;
  const methods = person?.methods ?? [];
  const hasPasskey = hasPasskeys() && methods.includes('passkey');
  const hasApp = methods.includes('totp');
  const show = (work: () => Promise<unknown>) =>
    void attempt.run(async () => {
      await work();
      await refresh();
      onShown();
    });
  const sign = () =>
    show(async () => door.stepUp({ assertion: await signWithPasskey(await door.stepUpOptions(signs)) }));
  // Whoever approves has pressed the button that says so: the device asks at once, and this dialog is there for a code.
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current || signs.length === 0 || !hasPasskey) return;
    isStarted.current = true;
    sign();
  });
  return (
    <div className="form-stack">
      <p className="muted">This counts, so the service asks once more. It then goes on with what you began.</p>
      {hasPasskey && (
        <Button fullWidth loading={attempt.isBusy} data-autofocus onClick={sign}>
          Use your passkey
        </Button>
      )}
      {hasApp && (
        <CodeForm attempt={attempt} isFirst={!hasPasskey} onCode={(code) => show(() => door.stepUp({ code }))} />
      )}
      {!hasPasskey && !hasApp && person !== null && methods.includes('password') && (
        <PasswordAgain attempt={attempt} person={person} show={show} />
      )}
      {!hasPasskey && !hasApp && !methods.includes('password') && (
        <p>You have nothing to show yet. Add a passkey under your name, at the top right, then try again.</p>
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

interface CodeProps {
  readonly attempt: Attempt;
  readonly isFirst: boolean;
  onCode(code: string): void;
}

function CodeForm({ attempt, isFirst, onCode }: CodeProps) {
  const [code, setCode] = useState('');
  const plain = plainCode(code);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCode(plain);
  };
  return (
    <form className="form-stack" onSubmit={submit} noValidate>
      <CodeField value={code} onChange={setCode} error={attempt.of('code')} isFirst={isFirst} />
      <Button
        type="submit"
        fullWidth
        variant={isFirst ? 'filled' : 'default'}
        loading={attempt.isBusy}
        disabled={plain.length < 6}
      >
        Confirm
      </Button>
    </form>
  );
}

interface PasswordProps {
  readonly attempt: Attempt;
  readonly person: Person;
  show(work: () => Promise<unknown>): void;
}

/** There is no factor to show, so the sign-in itself has to be new. */
function PasswordAgain({ attempt, person, show }: PasswordProps) {
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    show(() => door.password({ email: person.email ?? '', password }));
  };
  return (
    <form className="form-stack" onSubmit={submit} noValidate>
      <input type="email" hidden autoComplete="username" value={person.email ?? ''} readOnly />
      <PasswordField value={password} onChange={setPassword} error={attempt.of('password')} isFirst />
      <Button type="submit" fullWidth loading={attempt.isBusy} disabled={password === ''}>
        Confirm
      </Button>
    </form>
  );
}
