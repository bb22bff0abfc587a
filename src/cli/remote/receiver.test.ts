/** What `bursar listen` sends to its receiver, and what counts as an answer. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTcpReceiver } from '../../../test/support/webhooks/raw-receivers.ts';
import { answers, type Receiver, startReceiver } from '../../../test/support/webhooks/receiver.ts';
import { type Answer, deliver, forwardTarget } from './receiver.ts';

const MESSAGE = { id: 'evt_1', data: '{"sequence":1}' };
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver(answers(200));
});
afterEach(() => receiver.stop());

async function delivered(address = receiver.url): Promise<Omit<Answer, 'ms'>> {
  const to = { ...forwardTarget(address), secret: `whsec_${'a'.repeat(44)}` };
  const answer = await deliver(to, MESSAGE, new AbortController().signal);
  if (answer === null) throw new Error('It was not delivered.');
  const { ms: _, ...rest } = answer;
  return rest;
}

describe('the status is the answer', () => {
  it.each([
    ['has no end, with success', 200, '<p>\n', ''],
    ['has no end, without', 500, 'x\n y', 'x y'],
    ['has not begun', 503, '', ''],
  ])('of a body that %s', async (_, status, beginning, body) => {
    receiver.behaviour = (_received, response) => void response.writeHead(status).write(beginning);
    expect(await delivered()).toEqual({ status, body });
    expect(receiver.received.map(({ body: sent }) => sent)).toEqual([MESSAGE.data]); // once
  });

  it('of a body that never stops coming, which is read for a little', async () => {
    let isCut = false;
    receiver.behaviour = (_received, response) => {
      response.on('close', () => (isCut = true));
      response.writeHead(400);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1_000)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect(await delivered()).toEqual({ status: 400, body: 'x'.repeat(200) });
    await expect.poll(() => isCut).toBe(true);
  });

  it('of one behind an informational answer', async () => {
    const early = await startTcpReceiver((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\nno such hook'));
    });
    expect(await delivered(`http://127.0.0.1:${early.port}/`)).toEqual({ status: 404, body: 'no such hook' });
    await early.close();
  });

  it('control: a whole body is shown where it is no success', async () => {
    receiver.behaviour = (_received, response) => void response.writeHead(404).end('no such hook');
    expect(await delivered()).toEqual({ status: 404, body: 'no such hook' });
  });
});

describe('credentials in the address', () => {
  it.each([
    ['ada:secret', 'ada:secret'],
    ['ada', 'ada:'],
    [':secret', ':secret'],
    ['a%40b:p%3A%2F%20%C3%BC', 'a@b:p:/ ü'],
  ])('%s is sent as the header', async (given, sent) => {
    expect(await delivered(receiver.url.replace('//', `//${given}@`))).toEqual({ status: 200, body: '' });
    const header = receiver.received[0]?.headers.authorization ?? '';
    expect([header.slice(0, 6), Buffer.from(header.slice(6), 'base64').toString()]).toEqual(['Basic ', sent]);
  });

  it('control: an address without them has no header, and stays as it was typed', async () => {
    await delivered();
    expect(receiver.received[0]?.headers.authorization).toBeUndefined();
    expect(forwardTarget('http://127.0.0.1:3000')).toEqual({ url: 'http://127.0.0.1:3000', authorization: null });
  });

  it('are no part of the address that is shown', () => {
    expect(forwardTarget('https://ada:secret@example.com/a?b=1').url).toBe('https://example.com/a?b=1');
  });

  it.each(['a%3Ab:secret', 'ada:secret%', 'ada:%FFsecret', 'ada:secret%0A', 'a%00:secret'])(
    '%s is refused, and not repeated',
    (given) => {
      const refused = () => forwardTarget(`http://${given}@example.com`);
      expect(refused).toThrow(/cannot be sent\. Allowed: UTF-8, percent-encoded/);
      expect(refused).not.toThrow(/secret/);
    },
  );
});
