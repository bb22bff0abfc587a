/** The second factor of a password: an app that makes codes. It shows the picture and the secret, takes one code, and then the recovery codes once. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { sentenceOf } from '../api/errors.ts';
import { Copy } from '../ui/id.tsx';
import { door } from './door.ts';
import { FormFault } from './form-fault.tsx';
import { Qr } from './qr.tsx';
import { grouped } from './secret.ts';
import { useAttempt } from './use-attempt.ts';

interface Props {
  /** The app works and the recovery codes were kept. */
  onReady(): Promise<void> | void;
  /** Before the app works; afterwards there is no way round the recovery codes. */
  onCancel?: () => void;
}

export function NewApp({ onReady, onCancel }: Props) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return codes === null ? (
    <Setup onCodes={setCodes} onCancel={onCancel} />
  ) : (
    <RecoveryCodes codes={codes} onKept={onReady} />
  );
}

interface SetupProps {
  onCodes(codes: readonly string[]): void;
  readonly onCancel: (() => void) | undefined;
}

function Setup({ onCodes, onCancel }: SetupProps) {
  const [code, setCode] = useState('');
  const attempt = useAttempt(['code']);
  // A secret each time that it is asked for: kept while this stands, so that the picture does not change under the camera.
  const start = useQuery({
    queryKey: ['totp', 'start'],
    queryFn: door.startTotp,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (start.error !== null) return <FormFault text={sentenceOf(start.error)} />;
  if (start.data === undefined) return <p className="form-note">Coming …</p>;
  const { secret, uri } = start.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt.run(async () => onCodes((await door.confirmTotp(code.replaceAll(' ', ''))).recovery_codes));
  };
  return (
    <form className="form-stack" onSubmit={submit} noValidate>
      <div className="qr-row">
        <Qr text={uri} label="Secret for your app as a QR code" />
        <div>
          <p className="form-note">Read this with an app that makes codes, or type the secret into it:</p>
          <p>
            <span className="secret-groups">{grouped(secret)}</span> <Copy text={secret} what="the secret" />
          </p>
        </div>
      </div>
      <TextInput
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        maxLength={7}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={attempt.of('code')}
      />
      <FormFault text={attempt.text} />
      <Button type="submit" fullWidth loading={attempt.isBusy} disabled={code.replaceAll(' ', '').length < 6}>
        Go on
      </Button>
      {onCancel !== undefined && (
        <Button variant="subtle" fullWidth onClick={onCancel}>
          Not now
        </Button>
      )}
    </form>
  );
}

interface CodesProps {
  readonly codes: readonly string[];
  onKept(): Promise<void> | void;
}

export function RecoveryCodes({ codes, onKept }: CodesProps) {
  const [isKept, setKept] = useState(false);
  const attempt = useAttempt();
  const text = codes.join('\n');
  return (
    <div className="form-stack">
      <h2 className="form-heading">Recovery codes</h2>
      <p className="form-note">
        Each works once in place of the app. They are shown only now: print them, or keep them in a password manager.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="form-row">
        <Copy text={text} what="recovery codes" />
        <span className="form-note">Copy all {codes.length}</span>
      </div>
      <Checkbox label="I have kept them" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <FormFault text={attempt.text} />
      <Button
        fullWidth
        disabled={!isKept}
        loading={attempt.isBusy}
        onClick={() => void attempt.run(async () => onKept())}
      >
        Done
      </Button>
    </div>
  );
}
