/** Impossible things. A failed assertion is our bug, never bad input and never a refusal. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** The `default` of an exhaustive switch: the compiler names the missing case. */
export function never(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
