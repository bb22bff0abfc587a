/** Parameters of a read as they stand in its address. */

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** `?status[]=paid&status[]=failed`, or nothing. Members that are empty are left out. */
export function queryOf(query: Query = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    if (typeof value === 'object') for (const each of value) pairs.append(`${name}[]`, each);
    else pairs.append(name, String(value));
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}
