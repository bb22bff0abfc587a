/**
 * T15: webhooks cannot be turned against the inside. Every spelling of every kind of forbidden address, names that lead
 * there, names that change their mind, redirects, a network that leads elsewhere, × registering and delivering × modes and
 * settings. A trap on every address of this machine must receive nothing. The control blinds the guard: then it must.
 */
import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startReceiver, startTrap, type Trap } from './support/webhooks/raw-receivers.ts';
import { checkUrl, type GuardPolicy, resolveTarget } from '../src/platform/outbound/guard.ts';
import type { Lookup } from '../src/platform/outbound/lookup.ts';
import { type Attempt, createSender, type Sender } from '../src/events/webhooks/send.ts';

type Place = 'loopback' | 'private' | 'blocked';

const FORBIDDEN_V4: Readonly<Record<Place, readonly string[]>> = {
  loopback: ['127.0.0.1', '127.255.255.254', '127.1.2.3'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1'],
  blocked: [
    ['0.0.0.0', '0.1.2.3', '100.64.0.1', '100.100.100.200', '168.63.129.16', '169.254.169.254', '169.254.170.2'],
    ['192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1'],
    ['239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ].flat(),
};
const FORBIDDEN_V6: Readonly<Record<Place, readonly string[]>> = {
  loopback: ['::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1'],
  private: ['fc00::1', 'fd12:3456:789a::1', 'FDFF::1'],
  blocked: [
    ['::', '::2', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::fb', '100::1', '5f00::1', '4000::1'],
    ['2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1', '2620:4f:8000::1'],
    ['fd00:ec2::254', 'fd20:ce::254'],
  ].flat(),
};

const hex = (n: number) => n.toString(16);
const wide = (text: string) => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));

/** What browsers, C libraries and people have called this address. */
function spellingsOfV4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex(number)}`,
    `0X${hex(number).toUpperCase()}`,
    `0${number.toString(8)}`,
    [a, b, c, d].map((n) => `0x${hex(n)}`).join('.'),
    [a, b, c, d].map((n) => `0${n.toString(8)}`).join('.'),
    [a, b, c, d].map((n) => `0000${n.toString(8)}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    wide(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '%2E'),
    address.replace(/\d/g, (digit) => `%3${digit}`),
  ];
}

/** IPv6 forms that carry an IPv4 address; mapped ones (`::ffff:`) stand apart, because sockets print them. */
function embeddedIn6(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const pair = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return [
    [`::${address}`, `::${pair}`, `::ffff:0:${pair}`, `64:ff9b::${address}`, `64:ff9b::${pair}`],
    [`64:ff9b:1::${pair}`, `2002:${pair}::1`, `2001:0:${pair}::1`, `2a00:1450::5efe:${address}`],
    [`2a00:1450::200:5efe:${pair}`, `fe80::5efe:${pair}`],
  ].flat();
}

interface Hostile {
  readonly host: string;
  readonly place: Place;
}

const PLACES = ['loopback', 'private', 'blocked'] as const;
const LITERALS: readonly Hostile[] = PLACES.flatMap((place) => [
  ...FORBIDDEN_V4[place].flatMap(spellingsOfV4).map((host) => ({ host, place })),
  ...FORBIDDEN_V6[place].map((address) => ({ host: `[${address}]`, place })),
  ...FORBIDDEN_V4[place].map((address) => ({
    host: `[::ffff:${address}]`,
    place: place === 'loopback' ? place : ('blocked' as const),
  })),
  ...FORBIDDEN_V4[place].flatMap(embeddedIn6).map((address) => ({ host: `[${address}]`, place: 'blocked' as const })),
]);
const NAMES: readonly Hostile[] = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ｌocalhost', '%6cocalhost', 'loc\u00adalhost'].map(
    (host) => ({ host, place: 'loopback' as const }),
  ),
  ...['metadata.google.internal', 'printer.local', 'nas.home.arpa', 'intranet', 'kubernetes', 'db.internal.'].map(
    (host) => ({ host, place: 'private' as const }),
  ),
];
const MALFORMED = [
  ['', 'localhost', '//127.0.0.1', 'https://', 'https://[::1', 'https://[fe80::1%25eth0]', 'https://1.2.3.4.5.6'],
  ['https://256.0.0.1', 'https://127.0.0.0.1', 'https://0x100000000', 'https://a b', 'https://a\tb.example'],
  ['https://user@hooks.example.com', 'https://hooks.example.com:x@127.0.0.1', 'https://hooks.example.com#@127.0.0.1'],
  ['https://hooks.example.com:0', 'https://hooks.example.com:99999', 'ftp://hooks.example.com', 'file:///etc/passwd'],
  ['gopher://hooks.example.com', 'dict://hooks.example.com', 'ldap://hooks.example.com', 'data:,x', 'blob:https://a'],
  ['javascript:alert(1)', 'unix:/var/run/docker.sock', 'ws://hooks.example.com', 'https://a..example', 'https://%00'],
].flat();

const LIVE: GuardPolicy = { livemode: true, privateTargets: 'private' };
const SANDBOX: readonly GuardPolicy[] = (['none', 'loopback', 'private'] as const).map((privateTargets) => ({
  livemode: false,
  privateTargets,
}));
const POLICIES = [LIVE, ...SANDBOX];

function isForbidden(place: Place, { livemode, privateTargets }: GuardPolicy): boolean {
  if (livemode || place === 'blocked' || privateTargets === 'none') return true;
  return privateTargets === 'loopback' && place === 'private';
}

const at = (...addresses: string[]): Lookup => {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return () => Promise.resolve(found);
};

/** Registering an endpoint or changing its URL. */
async function register(text: string, policy: GuardPolicy, lookup: Lookup): Promise<boolean> {
  const checked = checkUrl(text, policy);
  if (!checked.ok) return false;
  const target = await resolveTarget(checked.url, policy, lookup);
  return target.ok || target.kind === 'dns';
}

let trap: Trap;
beforeAll(async () => {
  trap = await startTrap();
});
afterAll(() => trap.close());

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

function sender(policy: GuardPolicy, lookup: Lookup, create = createSender): Sender {
  const made = create({
    privateTargets: () => policy.privateTargets,
    lookup,
    connectTimeoutMs: 500,
    exchangeTimeoutMs: 500,
  });
  ended.push(() => made.close());
  return made;
}

const deliver = (sending: Sender, url: string, { livemode }: GuardPolicy): Promise<Attempt> =>
  sending.send({ url, livemode }, { 'webhook-id': 'evt_x' }, '{"secret":"canary"}');

const caught = () => [trap.connections(), trap.bytes()];

describe('hostile URLs', () => {
  it('are more than 300', () => {
    expect(new Set([...LITERALS, ...NAMES].map(({ host }) => host)).size).toBeGreaterThan(600);
  });

  it.each(POLICIES)('spelled out: refused at registration and at delivery, %j', async (policy) => {
    const before = caught();
    const sending = sender(policy, at('127.0.0.1'));
    for (const { host, place } of [...LITERALS, ...NAMES].filter((each) => isForbidden(each.place, policy)))
      for (const scheme of ['https', 'http']) {
        const url = `${scheme}://${host}:${trap.port}/`;
        expect([url, place, await register(url, policy, at('8.8.8.8'))]).toEqual([url, place, false]);
        expect([url, (await deliver(sending, url, policy)).outcome]).toEqual([url, 'blocked']);
      }
    expect(caught()).toEqual(before);
  });

  it.each(POLICIES)('malformed: refused at registration and at delivery, %j', async (policy) => {
    const before = caught();
    const sending = sender(policy, at('127.0.0.1'));
    for (const url of MALFORMED) {
      expect([url, await register(url, policy, at('8.8.8.8'))]).toEqual([url, false]);
      expect([url, (await deliver(sending, url, policy)).outcome]).toEqual([url, 'blocked']);
    }
    expect(caught()).toEqual(before);
  });

  it.each(POLICIES)('names that lead there, alone or among good addresses: %j', async (policy) => {
    const before = caught();
    const resolved: Hostile[] = PLACES.flatMap((place) => [
      ...[...FORBIDDEN_V4[place], ...FORBIDDEN_V6[place]].map((host) => ({ host, place })),
      ...FORBIDDEN_V4[place].flatMap(embeddedIn6).map((host) => ({ host, place: 'blocked' as const })),
    ]);
    resolved.push(
      ...['127.1', '0177.0.0.1', '2130706433', 'localhost', '::1%lo'].map((host) => ({
        host,
        place: 'blocked' as const,
      })),
    );
    let leadsTo = at('8.8.8.8');
    const sending = sender(policy, (name) => leadsTo(name));
    const url = `https://hooks.example.com:${trap.port}/`;
    for (const { host } of resolved.filter((each) => isForbidden(each.place, policy)))
      for (const lookup of [at(host), at('8.8.8.8', host), at('2606:4700::1', '8.8.8.8', host)]) {
        leadsTo = lookup;
        expect([host, await register(url, policy, lookup)]).toEqual([host, false]);
        expect([host, (await deliver(sending, url, policy)).outcome]).toEqual([host, 'blocked']);
      }
    expect(caught()).toEqual(before);
  });

  it('plain text never goes to the open internet', async () => {
    for (const policy of POLICIES)
      for (const url of ['http://hooks.example.com/', 'http://8.8.8.8/', 'http://[2606:4700::1]/']) {
        expect([url, policy, await register(url, policy, at('8.8.8.8'))]).toEqual([url, policy, false]);
        const sent = await deliver(sender(policy, at('8.8.8.8')), url, policy);
        expect([url, policy, sent.outcome]).toEqual([url, policy, 'blocked']);
      }
  });
});

describe('what looked good and turns', () => {
  it('rebinding: public when it is registered, inside when it is delivered', async () => {
    const before = caught();
    const inside = ['127.0.0.1', '::1', '0.0.0.0', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254', '::', '::7f00:1'];
    for (const address of inside) {
      let asked = 0;
      const lookup: Lookup = (name) => at((asked += 1) === 1 ? '8.8.8.8' : address)(name);
      const url = `https://rebind.example.com:${trap.port}/`;
      expect(await register(url, LIVE, lookup)).toBe(true);
      const sending = sender(LIVE, lookup);
      for (const attempt of ['deliver', 'replay']) {
        expect([attempt, address, (await deliver(sending, url, LIVE)).outcome]).toEqual([attempt, address, 'blocked']);
      }
      expect(asked).toBe(3); // once a check, and the connection asks nobody again
    }
    expect(caught()).toEqual(before);
  });

  it('a resolver that lies about families and changes its answer while it is read', async () => {
    const before = caught();
    const policy = LIVE;
    const url = `https://hooks.example.com:${trap.port}/`;
    for (const [address, family] of [
      ['127.0.0.1', 6],
      ['::1', 4],
      ['::ffff:7f00:1', 4],
      ['127.0.0.1', 0],
    ] as const) {
      const lookup: Lookup = () => Promise.resolve([{ address, family }]);
      expect((await deliver(sender(policy, lookup), url, policy)).outcome).toBe('blocked');
    }
    let reads = 0;
    const shifting = {
      family: 4,
      get address() {
        reads += 1;
        return reads % 2 === 1 ? '127.0.0.1' : '8.8.8.8';
      },
    };
    expect(
      (
        await deliver(
          sender(policy, () => Promise.resolve([shifting])),
          url,
          policy,
        )
      ).outcome,
    ).toBe('blocked');
    expect(caught()).toEqual(before);
  });

  it('a redirect to the inside is not followed', async () => {
    const before = caught();
    const policy = SANDBOX[1]!;
    for (const status of [301, 302, 303, 307, 308])
      for (const location of [
        `http://127.0.0.1:${trap.port}/`,
        `//localhost:${trap.port}/`,
        `http://[::1]:${trap.port}/`,
      ]) {
        const receiver = await startReceiver((_request, response) => response.writeHead(status, { location }).end());
        ended.push(() => receiver.close());
        const sent = await deliver(sender(policy, at('127.0.0.1')), `http://localhost:${receiver.port}/`, policy);
        expect(sent).toMatchObject({ outcome: 'status', httpStatus: status });
      }
    expect(caught()).toEqual(before);
  });

  it('what the sandbox may reach stays closed to live, also over a connection that stands', async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    ended.push(() => receiver.close());
    const policy = SANDBOX[1]!;
    const sending = sender(policy, at('127.0.0.1'));
    const url = `http://localhost:${receiver.port}/`;
    expect((await deliver(sending, url, policy)).outcome).toBe('succeeded');
    expect((await deliver(sending, url, LIVE)).outcome).toBe('blocked');
    expect((await deliver(sending, url.replace('http:', 'https:'), LIVE)).outcome).toBe('blocked');
    expect(receiver.connections()).toBe(1);
  });

  it('an answer from the inside stays hidden when its name leads to the open internet later', async () => {
    const receiver = await startReceiver((_request, response) => response.end('inner secret'));
    ended.push(() => receiver.close());
    const policy = SANDBOX[2]!; // private networks: only there an inner receiver may speak http under a public name
    const host = `hooks.example.com:${receiver.port}`;
    let leadsTo = at('127.0.0.1');
    const read = async (sending: Sender, scheme: string) => deliver(sending, `${scheme}://${host}/`, policy);
    const sending = sender(policy, (name) => leadsTo(name));
    expect(await read(sending, 'http')).toMatchObject({ outcome: 'succeeded', response: null });

    leadsTo = at('8.8.8.8');
    // The TCP connection stands and its peer is public: all that the owner of a name needs. The trap does not greet.
    await elsewhere(async () => expect((await read(sending, 'https')).outcome).toBe('timeout'), '8.8.8.8');
    expect(await read(sending, 'http')).toMatchObject({ outcome: 'succeeded', response: null });
    expect(receiver.connections()).toBe(1); // over the connection that stands

    leadsTo = at('127.0.0.1'); // control: the answer is there to be read
    const showing = sender(
      policy,
      (name) => leadsTo(name),
      (options) => createSender({ ...options, keepsPrivateAnswers: () => true }),
    );
    expect(await read(showing, 'http')).toMatchObject({ response: 'inner secret' });
  });

  it('a network that leads a good address to the inside: the peer is looked at before a byte is sent', async () => {
    const before = trap.bytes();
    await elsewhere(async () => {
      for (const policy of POLICIES.slice(0, 2))
        for (const host of ['hooks.example.com', '8.8.8.8', '[2606:4700::1]']) {
          const sent = await deliver(sender(policy, at('8.8.8.8')), `https://${host}:${trap.port}/`, policy);
          expect([host, sent.outcome]).toEqual([host, 'blocked']);
          expect(sent.error).toContain('this machine');
        }
    });
    await vi.waitFor(() => expect(trap.connections()).toBeGreaterThanOrEqual(6)); // they were led here, all of them,
    expect(trap.bytes()).toBe(before); // and said nothing
  });
});

/** A network that leads every connection to the trap, whatever its address was; the peer may pass for another one. */
async function elsewhere(run: () => Promise<void>, passesFor?: string): Promise<void> {
  const connect = Socket.prototype.connect;
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function led(this: Socket) {
    if (passesFor !== undefined) Object.defineProperty(this, 'remoteAddress', { value: passesFor });
    return Reflect.apply(connect, this, [{ host: '127.0.0.1', port: trap.port }]) as Socket;
  });
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
}

describe('good URLs', () => {
  const HOSTS = [
    [
      'hooks.example.com',
      'example.com',
      'EXAMPLE.com',
      'a.b.c.d.e.example.org',
      'x1.example.net',
      'my-hooks.example.io',
    ],
    ['my_hooks.example.com', 'bücher.example', '例え.テスト', 'пример.example', 'münchen.example:8443', 'example.com.'],
    ['1.example.com', '127.0.0.1.example.com', 'localhost.example.com', 'internal.example.com', 'local.example'],
    ['10.0.0.1.nip.example', 'mylocalhost.com', 'notinternal.com', '8.8.8.8', '1.1.1.1', '9.9.9.9:443'],
    ['172.15.255.255', '172.32.0.1', '11.0.0.1', '100.63.255.255', '100.128.0.1', '169.253.0.1', '192.169.0.1'],
    ['223.255.255.255', '[2606:4700:4700::1111]', '[2a00:1450:4001:800::200e]:8443', '[2001:4860:4860::8888]'],
  ].flat();
  const PATHS = ['', '/', '/webhooks/bursar', '/a%20b/ä', '/?token=1&x=%2F', '/in?url=http://127.0.0.1/', '//double'];
  const URLS = [
    ...HOSTS.map((host) => `https://${host}/hook`),
    ...PATHS.map((path) => `https://hooks.example.com${path}`),
    ...[1, 80, 443, 3000, 4443, 8080, 8443, 9000, 65_535].map((port) => `https://hooks.example.com:${port}/in`),
    'HTTPS://hooks.example.com/in',
    `https://hooks.example.com/${'a'.repeat(2000)}`,
  ];

  it('are at least 50, and none is refused', async () => {
    expect(new Set(URLS).size).toBeGreaterThanOrEqual(50);
    const refused: string[] = [];
    for (const policy of POLICIES)
      for (const url of URLS)
        for (const lookup of [at('93.184.215.14'), at('2606:4700::1', '104.16.0.1')])
          if (!(await register(url, policy, lookup))) refused.push(`${url} ${JSON.stringify(policy)}`);
    expect(refused).toEqual([]);
  });

  it('may have no address yet', async () => {
    const nothing: Lookup = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    expect(await register('https://soon.example.com/', LIVE, nothing)).toBe(true);
  });

  it('and the sandbox reaches this machine where the setting says so', async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    ended.push(() => receiver.close());
    for (const policy of SANDBOX.slice(1))
      for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'app.localhost', '0x7f.1']) {
        const url = `http://${host}:${receiver.port}/`;
        expect([host, await register(url, policy, at('127.0.0.1'))]).toEqual([host, true]);
        expect([host, (await deliver(sender(policy, at('127.0.0.1')), url, policy)).outcome]).toEqual([
          host,
          'succeeded',
        ]);
      }
  });
});

describe('control: a guard that takes this machine for a public address', () => {
  afterEach(() => {
    vi.doUnmock('../src/platform/outbound/addresses.ts');
    vi.resetModules();
  });

  async function blinded(): Promise<typeof createSender> {
    vi.resetModules();
    vi.doMock('../src/platform/outbound/addresses.ts', async (original) => {
      const real = await original<typeof import('../src/platform/outbound/addresses.ts')>();
      const classify = (address: string) => {
        const place = real.classify(address);
        return place === 'loopback' ? 'public' : place;
      };
      return { ...real, classify };
    });
    return (await import('../src/events/webhooks/send.ts')).createSender;
  }

  it.each(['127.0.0.1', '0x7f.1', '[::1]', 'hooks.example.com'])('the trap is hit: %s', async (host) => {
    const before = trap.bytes();
    const sending = sender(LIVE, at('127.0.0.1'), await blinded());
    await deliver(sending, `https://${host}:${trap.port}/`, LIVE);
    await vi.waitFor(() => expect(trap.bytes()).toBeGreaterThan(before));
  });

  it('the trap is hit when the network leads there', async () => {
    const before = trap.bytes();
    const create = await blinded();
    await elsewhere(async () => {
      await deliver(sender(LIVE, at('8.8.8.8'), create), `https://hooks.example.com:${trap.port}/`, LIVE);
    });
    await vi.waitFor(() => expect(trap.bytes()).toBeGreaterThan(before));
  });
});
