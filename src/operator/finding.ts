/** What `bursar doctor` says of one thing that it looked at. */

export interface Finding {
  readonly title: string;
  readonly isFine: boolean;
  /** What was found. Never holds a secret. */
  readonly message: string;
  /** The command or setting that mends it; `null` where nothing is wrong. */
  readonly mend: string | null;
}

export const fine = (title: string, message: string): Finding => ({ title, isFine: true, message, mend: null });
export const wrong = (title: string, message: string, mend: string): Finding => ({
  title,
  isFine: false,
  message,
  mend,
});

/** Wrong where there is a `fault`. */
export const judged = (title: string, words: string, fault: string | null | false, mend: string): Finding =>
  typeof fault === 'string' ? wrong(title, fault, mend) : fine(title, words);
