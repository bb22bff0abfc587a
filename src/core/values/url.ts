/** Or null. Not `URL.canParse`, which in Node 20 refuses letters such as ü after some thousand calls (as Latin-1). */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
