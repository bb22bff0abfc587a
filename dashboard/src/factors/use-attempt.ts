/**
 * A call of a form of the door: busy while it runs, its fault as one sentence, and the parameter that the fault is about. Where the door asks for a
 * factor once more, so does the dialog, and the call is made again.
 */
import { useState } from 'react';
import { faultOf, sentenceOf } from '../api/errors.ts';
import { StepUpDeclined, withFactor } from '../api/step-up.ts';
import { passkeyFault } from './webauthn.ts';

export interface Attempt {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** For below the form; null where a field names it, or where nothing is wrong. */
  readonly text: string | null;
  /** Beside a field. */
  of(param: string): string | undefined;
  /** Whether it went well. */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

/** `fields`: the parameters that the form shows faults of by itself. */
export function useAttempt(fields: readonly string[] = []): Attempt {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isInField = fields.some((param) => faultOf(error, param) !== undefined);
  return {
    isBusy,
    error,
    text: error === null || isInField ? null : (passkeyFault(error) ?? sentenceOf(error)),
    of: (param) => faultOf(error, param),
    run: async (work) => {
      setBusy(true);
      setError(null);
      try {
        await withFactor('', work);
        return true;
      } catch (fault) {
        if (!(fault instanceof StepUpDeclined)) setError(fault);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
