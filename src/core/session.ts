/** How long a second factor counts that a person has shown, for what decides about money or rights in live. Milliseconds. */
export const STEP_UP_MS = 300_000;
