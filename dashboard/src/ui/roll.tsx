/** Rolls a secret: how long the old one goes on, then the new one, shown once. */
import { Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Bursar } from '../api/client.ts';
import { useWrite, type WriteOptions } from '../api/writes.ts';
import { Confirm } from './confirm.tsx';
import { Once } from './once.tsx';

const OVERLAPS = [
  { value: '86400', label: 'one day' },
  { value: '604800', label: 'seven days' },
  { value: '3600', label: 'one hour' },
  { value: '0', label: 'not at all: it ends at once' },
];
const A_DAY = '86400';

interface Props {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** Of the choice of how long: `The old one works for`. */
  readonly label: string;
  /** Of the new secret. */
  readonly made: string;
  /** What to do with it. */
  readonly advice: string;
  readonly isOpen: boolean;
  close(): void;
  /** `expires_in`: seconds. */
  roll(
    client: Bursar,
    given: { expires_in: number },
    options: WriteOptions,
  ): Promise<{ readonly secret?: string | null }>;
}

export function Roll({ title, children, label, made, advice, isOpen, close, roll }: Props) {
  const [overlap, setOverlap] = useState(A_DAY);
  const [secret, setSecret] = useState<string | null>(null);
  const write = useWrite(async (client, options, seconds: number) => {
    const rolled = await roll(client, { expires_in: seconds }, options);
    setSecret(rolled.secret ?? null);
    return rolled;
  });
  return (
    <>
      <Confirm
        title={title}
        verb="Roll"
        isOpen={isOpen && secret === null}
        write={write}
        input={Number(overlap)}
        close={close}
      >
        <p>{children}</p>
        <Select label={label} data={OVERLAPS} value={overlap} onChange={(next) => setOverlap(next ?? A_DAY)} />
      </Confirm>
      <Once title={made} secret={secret} close={() => setSecret(null)}>
        {advice}
      </Once>
    </>
  );
}
