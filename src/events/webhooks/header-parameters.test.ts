/** Which names and values of headers a request may send; what is accepted arrives at a real receiver as it was sent. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RequestError } from '../../core/values/errors.ts';
import { UNSET_ALL } from '../../core/metadata.ts';
import { NumberText, type Tree } from '../../platform/http/request/param.ts';
import { type Receiver, startReceiver } from '../../../test/support/webhooks/receiver.ts';
import { headers } from './header-parameters.ts';
import { createSender, type Sender } from './send.ts';

let receiver: Receiver;
let sender: Sender;
beforeAll(async () => {
  receiver = await startReceiver();
  sender = createSender({ privateTargets: () => 'loopback' });
});
afterAll(async () => {
  await sender.close();
  await receiver.stop();
});

const parse = (value: Tree) => headers.parse(value, 'headers', 'json');
function refusalOf(value: Tree): RequestError {
  try {
    parse(value);
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(value)}`);
}

const RESERVED = [
  'Host',
  'content-length',
  'Content-Type',
  'CONTENT-ENCODING',
  'Transfer-Encoding',
  'Connection',
  'Keep-Alive',
  'TE',
  'Trailer',
  'Upgrade',
  'Expect',
  'User-Agent',
  'HTTP2-Settings',
  'Proxy-Authorization',
  'Sec-Fetch-Mode',
  'webhook-id',
  'Webhook-Signature',
  'webhook-timestamp',
  'Bursar-Signature',
];

describe('names', () => {
  it.each(RESERVED)('refuses %s, which HTTP or a delivery sets', (name) => {
    const { code, details, message } = refusalOf({ [name]: 'x' });
    expect([code, details.param]).toEqual(['parameter_invalid', `headers[${name}]`]);
    expect(message).toContain('transfer-encoding');
  });

  it('has no header of a delivery in what is allowed', async () => {
    const before = receiver.received.length;
    await sender.send({ url: receiver.url, livemode: false }, {}, '{}');
    const sent = Object.keys(receiver.received[before]?.headers ?? {});
    expect(sent).toContain('user-agent');
    expect(sent).toEqual(sent.filter((name) => refusalOf({ [name]: 'x' }).code === 'parameter_invalid'));
  });

  it.each(['', 'a b', 'a:b', 'Ä', 'a\r\nb', 'a\0', 'a"b', 'a(b)', 'a/b', 'a,b', 'a[b]', ' a', 'a@b'])(
    'refuses %j, which is no token',
    (name) => expect(refusalOf({ [name]: 'x' })).toMatchObject({ code: 'parameter_invalid' }),
  );

  it('takes a hundred characters and no more', () => {
    expect(parse({ ['a'.repeat(100)]: 'x' })).toEqual({ ['a'.repeat(100)]: 'x' });
    expect(refusalOf({ ['a'.repeat(101)]: 'x' }).message).toContain('has 101 characters; at most 100');
  });

  it('are the same in any case', () => {
    expect(refusalOf({ 'X-A': '1', 'x-a': '2' })).toMatchObject({ code: 'parameter_repeated' });
  });

  it('takes as many as ten that replace ten others', () => {
    const some = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'x']));
    expect(Object.keys(parse(some(20)))).toHaveLength(20);
    expect(refusalOf(some(21)).message).toContain('at most 20 names in one request, got 21');
  });
});

describe('values', () => {
  const SECRET = 'Bearer 8f3a2c91';

  it.each<[string, Tree, string]>([
    ['a line break', `${SECRET}\r\nX-Evil: 1`, 'U+000D at place 16'],
    ['NUL', `${SECRET}\0`, 'U+0000'],
    ['DEL', `${SECRET}\x7f`, 'U+007F'],
    ['an umlaut', `${SECRET}ü`, 'U+00FC'],
    ['an emoji', `${SECRET}👩`, 'U+1F469'],
    ['a blank in front', ` ${SECRET}`, 'begins or ends with a blank'],
    ['a tab at the end', `${SECRET}\t`, 'begins or ends with a blank'],
    ['a blank alone', ' ', 'begins or ends with a blank'],
    ['1,001 characters', SECRET.padEnd(1001, 'x'), 'has 1001 characters; at most 1000'],
    ['a number', new NumberText('83912391'), 'must be a text, got a number'],
    ['a list', [SECRET], 'must be a text, got a list'],
    ['an object', { a: SECRET }, 'must be a text, got an object'],
    ['a mask', '****', 'is masked'],
  ])('refuses %s, and never repeats the value', (_, value, reason) => {
    const { code, details, message } = refusalOf({ Authorization: value });
    expect([code, details.param]).toEqual(['parameter_invalid', 'headers[Authorization]']);
    expect(message).toContain(reason);
    expect(JSON.stringify([message, details])).not.toMatch(/8f3a2c91|83912391/);
  });

  it('refuses a text where the names belong, and does not repeat it', () => {
    const { code, message } = refusalOf(SECRET);
    expect([code, message]).toEqual(['parameter_invalid', expect.stringContaining('got a text')]);
    expect(message).not.toContain('8f3a2c91');
  });

  it('takes null and an empty text for none', () => {
    expect(parse({ a: null, b: '' })).toEqual({ a: '', b: '' });
    expect(parse(null)).toBe(UNSET_ALL);
    expect(headers.parse('', 'headers', 'form')).toBe(UNSET_ALL);
  });
});

describe('whatever is sent', () => {
  const anyName = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('constructor', 'Authorization', 'Cookie', '0', '~', 'x'.repeat(100), ...RESERVED),
    { weight: 8, arbitrary: fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/) },
  );
  const anyValue = fc.oneof(
    fc.string({ maxLength: 30, unit: 'binary' }),
    fc.constantFrom('x'.repeat(1000), 'a\tb', 'a, b', '"', '\\', 'Basic dXNlcjpwYXNz'),
    { weight: 8, arbitrary: fc.stringMatching(/^[!-~][\t -~]{0,40}[!-~]$/) },
  );

  it('is refused with a code and the parameter, or arrives as it was sent beside our own headers', async () => {
    let arrived = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyName, anyValue), { maxLength: 4 }), async (pairs) => {
        const tree = Object.fromEntries(pairs);
        let kept: Readonly<Record<string, string>>;
        try {
          kept = parse(tree);
        } catch (error) {
          if (!(error instanceof RequestError)) throw error;
          expect(error.details.param).toMatch(/^headers/);
          return;
        }
        const set = Object.entries(kept).filter(([, value]) => value !== '');
        const own = { 'webhook-id': 'evt_1', 'Bursar-Signature': 't=1' };
        const before = receiver.received.length;
        const target = { url: receiver.url, livemode: false };
        const attempt = await sender.send(target, { ...Object.fromEntries(set), ...own }, '{}');
        expect(attempt).toMatchObject({ outcome: 'succeeded' });
        const got = new Map(Object.entries(receiver.received[before]?.headers ?? {}));
        for (const [name, value] of set) {
          expect(Object.hasOwn(tree, name)).toBe(true);
          // It is sent, but an object of Node's HTTP server cannot hold it.
          if (name !== '__proto__') expect(got.get(name.toLowerCase())).toBe(value);
        }
        expect([got.get('webhook-id'), got.get('bursar-signature')]).toEqual(['evt_1', 't=1']);
        arrived += set.length;
      }),
      { numRuns: 400 },
    );
    expect(arrived).toBeGreaterThan(50);
  });
});
