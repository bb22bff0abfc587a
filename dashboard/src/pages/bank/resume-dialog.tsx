/** Exports that a difference has stopped go on: whoever says so says why. */
import { useState } from 'react';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { WhyField } from './why-field.tsx';

interface Props {
  readonly id: string;
  close(): void;
}

export function ResumeDialog({ id, close }: Props) {
  const [reason, setReason] = useState('');
  const resume = useWrite((client, options, why: string) =>
    client.bankAccounts.resumeExports(id, { reason: why }, options),
  );
  const why = reason.trim();
  return (
    <Confirm
      title="Resume exports"
      verb="Resume exports"
      isOpen
      isIncomplete={why === ''}
      write={resume}
      input={why}
      close={close}
    >
      <p>Payouts leave again for this bank account. Statements with the same difference do not stop them again.</p>
      <WhyField value={reason} description="Stays in the audit log." onChange={setReason} />
    </Confirm>
  );
}
