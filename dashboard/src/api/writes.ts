/**
 * What pages write with. A call keeps its idempotency key until it is answered, also over the dialog that asks for a factor once
 * more: however often a person presses, it happens once.
 *
 *     const cancel = useWrite((client, options) => client.payouts.cancel(id, {}, options));
 *     <Button loading={cancel.isBusy} onClick={() => cancel.run()}>
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Bursar } from './client.ts';
import { sessionHasEnded } from './ended.ts';
import { isUnanswered, troubleOf } from './errors.ts';
import { useHere } from './environment.tsx';
import { askForFactor, type Seen, StepUpDeclined, withFactor } from './step-up.ts';

export interface WriteOptions {
  readonly idempotencyKey: string;
  readonly maxRetries: number;
}

export interface Write<Input, Output> {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** The answer, or `undefined` where it was refused; the refusal is in `error`. */
  run(input: Input): Promise<Output | undefined>;
  /** The same once more, where nobody knows whether it happened; `null`: nothing is open. */
  readonly again: (() => Promise<Output | undefined>) | null;
  reset(): void;
}

export function useWrite<Output, Input = void>(
  call: (client: Bursar, options: WriteOptions, input: Input) => Promise<Output>,
  /** What is approved by it: in live a passkey signs it. */
  signs: (input: Input) => readonly Seen[] = () => [],
): Write<Input, Output> {
  const { name, client, mode, person } = useHere();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const open = useRef<{ input: string; key: string; value: Input }>(undefined);

  const run = async (input: Input): Promise<Output | undefined> => {
    const text = JSON.stringify(input) ?? '';
    if (open.current?.input !== text) open.current = { input: text, key: crypto.randomUUID(), value: input };
    const options = { idempotencyKey: open.current.key, maxRetries: 3 };
    setBusy(true);
    setError(null);
    try {
      const things = signs(input);
      // Without asking first the server would say no, and a console would fill with that.
      const isFirst = things.length > 0 && mode === 'live' && person.methods.includes('passkey');
      if (isFirst) await askForFactor(name, null, things);
      const answer = await withFactor(name, () => call(client, options, input), things);
      open.current = undefined;
      // What is fixed never changes, and may be refused by now.
      await queries.invalidateQueries({ predicate: ({ queryKey: [of, what] }) => of === name && what !== 'fixed' });
      return answer;
    } catch (fault) {
      // After silence nobody knows whether it happened: the same key again. A refusal is an answer.
      if (troubleOf(fault) !== 'away') open.current = undefined;
      if (troubleOf(fault) === 'ended') sessionHasEnded();
      else if (!(fault instanceof StepUpDeclined)) setError(fault);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const last = open.current;
  const again = last !== undefined && isUnanswered(error) ? () => run(last.value) : null;
  return { isBusy, error, run, again, reset: () => setError(null) };
}
