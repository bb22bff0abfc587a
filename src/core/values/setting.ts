/** A setting of the service: its variable, its allowed values, and how its text becomes a value. All settings: `config.ts`. */

export interface Setting<T> {
  /** Environment variable, or `null` for a limit that is fixed. */
  readonly variable: string | null;
  readonly fallback: string;
  readonly allowed: string;
  readonly meaning: string;
  /** `undefined` when the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

export type Chosen<Table extends Readonly<Record<string, Setting<unknown>>>> = Readonly<{
  [K in keyof Table]: Exclude<ReturnType<Table[K]['parse']>, undefined>;
}>;

export function integer(
  variable: string,
  fallback: number,
  min: number,
  max: number,
  meaning: string,
): Setting<number> {
  const parse = (text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return { variable, fallback: String(fallback), allowed: `a whole number from ${min} to ${max}`, meaning, parse };
}

export function fixed(value: number, meaning: string): Setting<number> {
  return { variable: null, fallback: String(value), allowed: String(value), meaning, parse: Number };
}

export function setting<T = string>(
  variable: string,
  fallback: string,
  allowed: string,
  meaning: string,
  parse: (value: string) => T | undefined,
): Setting<T> {
  return { variable, fallback, allowed, meaning, parse };
}

/** One that may stay unset; then it is null. */
export const optional = <T = string>(
  variable: string,
  allowed: string,
  meaning: string,
  parse: (value: string) => T | undefined,
): Setting<T | null> => setting<T | null>(variable, '', allowed, meaning, (v) => (v === '' ? null : parse(v)));

/** A limit of requests; 0 switches it off. */
export const perSecond = (variable: string, fallback: number, meaning: string): Setting<number> =>
  integer(variable, fallback, 0, 1_000_000, meaning);
