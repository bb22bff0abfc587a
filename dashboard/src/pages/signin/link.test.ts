/** One-time links: only what looks like one is sent anywhere. */
import { describe, expect, it } from 'vitest';
import { base64url, bytesOf } from '../../factors/bytes.ts';
import { deviceOf } from '../../factors/device.ts';
import { grouped } from '../../factors/secret.ts';
import { linkIn } from './link-form.ts';

const TOKEN = 'Zk3Jx0Qm1pT8vW2bN5yR7uA9cE4gH6kL';

describe('a link', () => {
  it.each(['claim', 'invite', 'reset', 'login'])('%s is one', (kind) =>
    expect(linkIn(`#${kind}=${TOKEN}`)).toEqual({ kind, token: TOKEN }),
  );
  it.each([
    '',
    '#',
    '#main',
    `#other=${TOKEN}`,
    '#claim=short',
    `#claim=${TOKEN}&x=1`,
    '#claim=<b>aaaaaaaaaaaaaaaaaaaa',
  ])('%j is none', (fragment) => expect(linkIn(fragment)).toBeNull());
});

describe('bytes of passkeys', () => {
  it.each([[[]], [[0]], [[251, 255, 254]], [[1, 2, 3, 4]]])('%j come back', (bytes) => {
    const text = base64url(Uint8Array.from(bytes).buffer);
    expect(text).not.toMatch(/[+/=]/);
    expect([...bytesOf(text)]).toEqual(bytes);
  });
});

describe('names of devices', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1',
      'Safari on iOS',
    ],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 Edg/131.0', 'Edge on Windows'],
    ['curl/8.5.0', 'curl'],
    [null, 'Unknown device'],
  ])('%s is %s', (agent, name) => expect(deviceOf(agent)).toBe(name));
});

it('shows a secret in groups of four', () => expect(grouped('ABCDEFGHIJ')).toBe('ABCD EFGH IJ'));
