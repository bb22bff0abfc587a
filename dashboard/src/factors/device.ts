/** What to call a passkey until its owner says otherwise: "Chrome on Linux". Pure. */

const BROWSERS = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const found = (list: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  list.find(([form]) => form.test(agent))?.[1];

/** Of a `User-Agent`; also for lists of sessions. */
export function deviceOf(agent: string | null): string {
  if (agent === null || agent === '') return 'Unknown device';
  const browser = found(BROWSERS, agent) ?? agent.split(/[\s/]/)[0] ?? 'Unknown';
  const system = found(SYSTEMS, agent);
  return system === undefined ? browser : `${browser} on ${system}`;
}
