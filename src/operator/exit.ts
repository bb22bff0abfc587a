/** How a command fails: a message for the person who typed it, and an exit code for programs. */

export const EXIT_CODES = {
  /** Something broke. */
  failed: 1,
  /** The command line is wrong, or what it needs is missing. */
  usage: 2,
  /** `bursar verify` found damage. */
  damage: 3,
  /** The API refused the request. */
  refused: 4,
} as const;

/** A message without a stack, and the exit code. */
export class Exit extends Error {
  readonly code: number;

  constructor(reason: keyof typeof EXIT_CODES, message: string) {
    super(message);
    this.code = EXIT_CODES[reason];
  }
}

/** The command line, or something that it names, is wrong. Exit code 2. */
export class UsageError extends Exit {
  constructor(message: string) {
    super('usage', message);
  }
}
