/**
 * A URL, or null for a text that is none. Not `URL.canParse`: in Node 20 it says no to addresses with letters such as ü once the
 * function that calls it is compiled (after some thousand calls), because its fast path takes Latin-1 for UTF-8.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
