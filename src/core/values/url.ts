/** A URL, or null. Not `URL.canParse`: in Node 20 it refuses letters such as ü after some thousand calls. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
