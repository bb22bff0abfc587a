/** How values leave PostgreSQL: none becomes a float or a local-time Date. Next: `platform/db/pool.ts`. */
import { type CustomTypesConfig, types } from 'pg';

type Parse = (text: string) => unknown;

const text: Parse = (value) => value;
const TEXT_ARRAY: number = 1009;
const textArray = types.getTypeParser(TEXT_ARRAY) as (value: string) => (string | null)[];
const array =
  (parse: Parse): Parse =>
  (value) =>
    textArray(value).map((element) => (element === null ? null : parse(element)));

const PARSERS: ReadonlyMap<number, Parse> = new Map([
  [20, BigInt], // int8
  [1016, array(BigInt)],
  [1184, instantMs], // timestamptz
  [1185, array(instantMs)],
  [1114, text], // timestamp without time zone: not used, and must not become local time
  [1082, text], // date
  [1182, array(text)],
  [1700, text], // numeric
  [1231, array(text)],
  [114, text], // json
  [3802, text], // jsonb
  [199, array(text)],
  [3807, array(text)],
  [2950, text], // uuid
  [2951, array(text)],
] as [number, Parse][]);

export const TYPES: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parse = format === 'binary' ? undefined : PARSERS.get(oid);
    return parse ?? types.getTypeParser(oid, format);
  },
};

/** `2026-01-31 09:30:00.123456+00` (in a session with the time zone UTC) → milliseconds since 1970, rounded down. */
export function instantMs(value: string): number {
  if (value === 'infinity') return Number.POSITIVE_INFINITY;
  if (value === '-infinity') return Number.NEGATIVE_INFINITY;
  if (!value.endsWith('+00')) throw new Error(`an instant outside UTC or before Christ: ${value}`);
  return Date.parse(`${value.slice(0, 10)}T${value.slice(11, -3)}Z`);
}
