/** Between a write that needs a factor once more and the dialog that asks for it (`pages/signin/step-up.tsx`). */

import { needsStepUp } from './errors.ts';

/** The person closed the dialog: nothing was done, and nothing is wrong. */
export class StepUpDeclined extends Error {
  override readonly name = 'StepUpDeclined';
}

export interface Asked {
  /** What the header `Bursar-Environment` says. */
  readonly environment: string;
  /** The refusal, which may say what the factor is to be bound to. */
  readonly refusal: unknown;
  done(): void;
  declined(): void;
}

type Listener = (asked: Asked) => void;
let listener: Listener | undefined;

/** The dialog listens as long as it is mounted. Answers what ends it. */
export function onAskForFactor(next: Listener): () => void {
  listener = next;
  return () => {
    if (listener === next) listener = undefined;
  };
}

/** Resolves when the person has shown a factor. Throws `StepUpDeclined`, or the refusal where nobody can ask. */
function askForFactor(environment: string, refusal: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    if (listener === undefined) return reject(refusal);
    listener({ environment, refusal, done: resolve, declined: () => reject(new StepUpDeclined()) });
  });
}

/** The call; once more after the dialog where it wants a factor. Throws as `askForFactor`, and what the call throws. */
export async function withFactor<T>(environment: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (fault) {
    if (!needsStepUp(fault)) throw fault;
    await askForFactor(environment, fault);
    return call();
  }
}
