/**
 * Columns of a batch (`columns.ts`) as rows of a FROM. The arrays are unnested in a SELECT list: `FROM unnest($1, $2)`
 * copies every column first (the inserts of one payout took 0.7 of its time, those of a thousand 0.8; docs/decisions/0020).
 */

export type WireType = 'uuid' | 'int8' | 'int4' | 'int2' | 'text' | 'timestamptz';

/**
 * `{ id: 'uuid', n: 'int8' }` → `(SELECT unnest($1::uuid[]) AS id, unnest($2::int8[]) AS n)`, for an alias behind it.
 * The first parameter has the number `first`. There are as many rows as the longest column has values; shorter columns end in NULL.
 */
export function unnest(columns: Readonly<Record<string, WireType>>, first = 1): string {
  const list = Object.entries(columns).map(([name, type], index) => `unnest($${first + index}::${type}[]) AS ${name}`);
  return `(SELECT ${list.join(', ')})`;
}
