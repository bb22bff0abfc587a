/** Between a write that needs a factor once more and the dialog that asks for it (`pages/signin/step-up.tsx`). */

import { needsStepUp } from './errors.ts';

/** The person closed the dialog: nothing was done, and nothing is wrong. */
export class StepUpDeclined extends Error {
  override readonly name = 'StepUpDeclined';
}

/** A thing to approve, and the fingerprint of what was on the screen. */
export interface Seen {
  readonly id: string;
  readonly fingerprint: string;
}

export interface Asked {
  /** What the header `Bursar-Environment` says. */
  readonly environment: string;
  /** What a passkey signs, so that nothing else is approved by it; empty: it only says who it is. */
  readonly signs: readonly Seen[];
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
export function askForFactor(environment: string, refusal: unknown, signs: readonly Seen[]): Promise<void> {
  return new Promise((resolve, reject) => {
    if (listener === undefined) return reject(refusal);
    listener({ environment, signs, done: resolve, declined: () => reject(new StepUpDeclined()) });
  });
}

/**
 * The call; once more after the dialog where it wants a factor. `signs`: what is approved by it. Throws as `askForFactor`, and what the call
 * throws.
 */
export async function withFactor<T>(
  environment: string,
  call: () => Promise<T>,
  signs: readonly Seen[] = [],
): Promise<T> {
  try {
    return await call();
  } catch (fault) {
    if (!needsStepUp(fault)) throw fault;
    await askForFactor(environment, fault, signs);
    return call();
  }
}
