/** At most so many UTF-16 units of a text, and never half a character: the database would keep another one in its place. Pure. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const isWithin = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isWithin ? most - 1 : most);
}
