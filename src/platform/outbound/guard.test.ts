import { describe, expect, it } from 'vitest';
import type { PrivateTargets } from './private-targets.ts';
import { checkUrl, type GuardPolicy, resolveTarget } from './guard.ts';
import { systemLookup } from './lookup.ts';

const LIVE: GuardPolicy = { livemode: true, privateTargets: 'private' };
const SANDBOX: Readonly<Record<PrivateTargets, GuardPolicy>> = {
  none: { livemode: false, privateTargets: 'none' },
  loopback: { livemode: false, privateTargets: 'loopback' },
  private: { livemode: false, privateTargets: 'private' },
};
const EVERY_POLICY = [LIVE, SANDBOX.none, SANDBOX.loopback, SANDBOX.private];

const reasonOf = (text: string, policy: GuardPolicy) => {
  const checked = checkUrl(text, policy);
  return checked.ok ? null : checked.reason;
};
const found =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

describe('checkUrl', () => {
  it.each([
    ['https://hooks.example.com/in', 'https://hooks.example.com/in'],
    ['HTTPS://Hooks.Example.COM:443', 'https://hooks.example.com/'],
    ['https://bücher.example/ä?ö=ü', 'https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC'],
    ['https://8.8.8.8:8443/x', 'https://8.8.8.8:8443/x'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://hooks.example.com./', 'https://hooks.example.com./'],
    ['https://my_hooks.example.com/', 'https://my_hooks.example.com/'],
  ])('allows %s everywhere', (text, href) => {
    for (const policy of EVERY_POLICY) expect(checkUrl(text, policy)).toMatchObject({ ok: true, url: { href } });
  });

  it.each([
    ['', /not one/],
    ['hooks.example.com', /not one/],
    ['https://', /not one/],
    ['https:///', /not one/],
    ['https://exa mple.com/', /blanks/],
    ['https://example.com/a\nb', /blanks/],
    ['https://example.com/\u0000', /blanks/],
    ['https://example.com/\u00a0', /blanks/],
    ['ftp://example.com/', /begins with ftp:/],
    ['file:///etc/passwd', /begins with file:/],
    ['gopher://example.com/', /begins with gopher:/],
    ['javascript:alert(1)', /begins with javascript:/],
    ['data:text/plain,x', /begins with data:/],
    ['https://user@example.com/', /user name/],
    ['https://:secret@example.com/', /user name/],
    ['https://example.com/#part', /fragment/],
    ['https://example.com/#', /fragment/],
    ['https://example.com:0/', /Port 0/],
    ['https://example.com:65536/', /not one/],
    ['https://example..com/', /not a host name/],
    ['https://example.com../', /not a host name/],
    ['https://-example.com/', /not a host name/],
    ["https://exam'ple.com/", /not a host name/],
    [`https://${'a'.repeat(64)}.com/`, /not a host name/],
    [`https://${'abc.'.repeat(64)}com/`, /not a host name/],
    [`https://example.com/${'a'.repeat(2029)}`, /2049 characters/],
    [`https://example.com/${'ä'.repeat(400)}`, /2420 characters once encoded/],
  ])('refuses %j everywhere', (text, reason) => {
    for (const policy of EVERY_POLICY) expect(reasonOf(text, policy)).toMatch(reason);
  });

  it('takes 2,048 characters', () => {
    expect(reasonOf(`https://example.com/${'a'.repeat(2028)}`, LIVE)).toBeNull();
  });

  const LOOPBACK = [
    'localhost',
    'a.localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '0x7f.1',
    '２130706433',
    '0177.0.0.1',
    '%31%32%37.0.0.1',
  ];
  const PRIVATE = ['10.0.0.1', '192.168.1.1', '[fd12::1]', 'intranet', 'db.internal', 'printer.local', 'nas.home.arpa'];
  const BLOCKED = ['0.0.0.0', '169.254.169.254', '100.64.0.1', '[::]', '[fe80::1]', '[::a00:1]', '[64:ff9b::7f00:1]'];

  it.each<[string, readonly string[], readonly GuardPolicy[]]>([
    ['this machine', LOOPBACK, [SANDBOX.loopback, SANDBOX.private]],
    ['private networks', PRIVATE, [SANDBOX.private]],
    ['addresses of special use', BLOCKED, []],
  ])('judges %s by mode and setting, with http as with https', (_title, hosts, allowing) => {
    for (const host of [...hosts, ...hosts.map((each) => `${each}:3000`)])
      for (const scheme of ['http', 'https'])
        for (const policy of EVERY_POLICY) {
          const isAllowed = checkUrl(`${scheme}://${host}/`, policy).ok;
          expect([scheme, host, policy, isAllowed]).toEqual([scheme, host, policy, allowing.includes(policy)]);
        }
  });

  it.each([
    [LIVE, 'http://hooks.example.com/', /Live webhooks need https/],
    [SANDBOX.none, 'http://hooks.example.com/', /plain text.*Use https:\/\/\.$/],
    [SANDBOX.loopback, 'http://hooks.example.com/', /http:\/\/localhost:3000/],
    [SANDBOX.loopback, 'http://8.8.8.8/', /http:\/\/localhost:3000/],
    [SANDBOX.private, 'http://8.8.8.8/', /private networks only/],
    [LIVE, 'https://localhost/', /^localhost leads to this machine\. Live webhooks go to public addresses only\.$/],
    [
      SANDBOX.loopback,
      'https://10.0.0.1/',
      /^10\.0\.0\.1 leads to a private network\. Its operator allows that with BURSAR_WEBHOOK_PRIVATE_TARGETS=private\./,
    ],
    [SANDBOX.private, 'https://169.254.169.254/', /special use\. Webhooks are never sent there\.$/],
  ])('says why: %j %s', (policy, text, reason) => expect(reasonOf(text, policy)).toMatch(reason));

  it('leaves http to a name to what the name resolves to, where private networks are allowed', () => {
    expect(reasonOf('http://hooks.corp.example/', SANDBOX.private)).toBeNull();
  });
});

describe('resolveTarget', () => {
  const url = new URL('https://hooks.example.com/');

  it('pins the first of several good addresses, and keeps the others', async () => {
    expect(await resolveTarget(url, LIVE, found('8.8.8.8', '2606:4700::1'))).toEqual({
      ok: true,
      address: '8.8.8.8',
      family: 4,
      spare: [{ address: '2606:4700::1', family: 6 }],
    });
  });

  it('takes a literal as it is', async () => {
    const never = () => Promise.reject(new Error('looked up'));
    expect(await resolveTarget(new URL('https://8.8.8.8/'), LIVE, never)).toMatchObject({ address: '8.8.8.8' });
    expect(await resolveTarget(new URL('https://[2606:4700::1]/'), LIVE, never)).toMatchObject({ family: 6 });
    expect(await resolveTarget(new URL('https://0x7f.1/'), LIVE, never)).toMatchObject({ kind: 'blocked' });
  });

  it.each([
    [['10.0.0.1']],
    [['8.8.8.8', '10.0.0.1']],
    [['8.8.8.8', '2606:4700::1', '::ffff:10.0.0.1']],
    [['8.8.8.8', 'not an address']],
    [['127.1']],
    [['fe80::1%eth0']],
  ])('one bad address refuses all: %j', async (addresses) => {
    expect(await resolveTarget(url, LIVE, found(...addresses))).toMatchObject({ ok: false, kind: 'blocked' });
  });

  it('does not say what a name resolved to', async () => {
    const target = await resolveTarget(url, LIVE, found('10.1.2.3'));
    expect(target).toMatchObject({ reason: expect.not.stringContaining('10.1.2.3') as string });
  });

  it('does not believe what the resolver says about the family', async () => {
    const lying = () => Promise.resolve([{ address: '8.8.8.8', family: 6 }]);
    expect(await resolveTarget(url, LIVE, lying)).toMatchObject({ address: '8.8.8.8', family: 4 });
  });

  it('pins what it judged, although the answer changes while it is read', async () => {
    let reads = 0;
    const shifting = {
      get address() {
        reads += 1;
        return reads === 1 ? '8.8.8.8' : '127.0.0.1';
      },
      family: 4,
    };
    expect(await resolveTarget(url, LIVE, () => Promise.resolve([shifting]))).toMatchObject({ address: '8.8.8.8' });
  });

  it('keeps plain text from the open internet', async () => {
    const plain = new URL('http://hooks.corp.example/');
    const policy = SANDBOX.private;
    expect(await resolveTarget(plain, policy, found('10.0.0.1', '127.0.0.1'))).toMatchObject({ ok: true });
    expect(await resolveTarget(plain, policy, found('10.0.0.1', '8.8.8.8'))).toMatchObject({ kind: 'blocked' });
  });

  it('tells a name without addresses apart from a forbidden one', async () => {
    const failing = (code?: string) => () => Promise.reject(Object.assign(new Error('x'), { code }));
    const reason = (code: string) => `The name hooks.example.com could not be resolved (${code}).`;
    for (const [lookup, code] of [
      [failing('ENOTFOUND'), 'ENOTFOUND'],
      [failing('EAI_AGAIN'), 'EAI_AGAIN'],
      [failing(), 'no reason given'],
      [found(), 'ENODATA'],
    ] as const) {
      expect(await resolveTarget(url, LIVE, lookup)).toEqual({ ok: false, kind: 'dns', reason: reason(code) });
    }
  });

  it('asks for the name without the dot of the root', async () => {
    const asked: string[] = [];
    const lookup = (name: string) => {
      asked.push(name);
      return found('8.8.8.8')();
    };
    await resolveTarget(new URL('https://hooks.example.com./'), LIVE, lookup);
    expect(asked).toEqual(['hooks.example.com']);
  });

  it('uses the system, which knows localhost', async () => {
    const target = await resolveTarget(new URL('http://localhost:3000/'), SANDBOX.loopback);
    expect(target).toMatchObject({ ok: true, address: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/) as string });
    const both = await Promise.all([systemLookup('localhost'), systemLookup('localhost')]);
    expect(both[0]).toBe(both[1]); // one look-up for both
    await expect(systemLookup('no-such-name.invalid')).rejects.toMatchObject({ code: /^E/ });
  });
});
