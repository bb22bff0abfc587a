/**
 * T14, signatures that others verify: a thousand random deliveries, each read by `standardwebhooks`, `svix` and `stripe`
 * with one and the same secret, and a thousand with one bit changed, refused by all three. Stripe's form signs no
 * `webhook-id`; the id that counts there is the one in the body, so a changed id is changed there. Control: deliveries
 * by a signer that has the wrong secret, or leaves out what has to be signed, are refused, and unchanged ones are not.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { idSource } from '../src/core/values/ids.ts';
import { signatureHeaders, newSecret } from '../src/events/webhooks/signature.ts';
import { seeded } from './support/generators/seeded.ts';

const DELIVERIES = 1000;
const SEED = 14;
const chance = seeded(SEED);
const randomInt = (from: number, to: number) => from + Math.floor(chance() * (to - from));

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Returns what the receiver reads; throws when it refuses. */
type Verify = (delivery: Delivery, secret: string) => unknown;

const RECEIVERS: Readonly<Record<string, Verify>> = {
  standardwebhooks: ({ headers, body }, secret) => new StandardWebhook(secret).verify(body, headers),
  svix: ({ headers, body }, secret) => new SvixWebhook(secret).verify(body, headers),
  stripe: ({ headers, body }, secret) =>
    Stripe.webhooks.constructEvent(body, headers['Bursar-Signature'] ?? '', secret),
};
const NAMES = Object.keys(RECEIVERS);

/** The receivers that accept a delivery and read exactly what was sent. */
function accepting(delivery: Delivery, secret: string, sent: string): string[] {
  return NAMES.filter((name) => {
    try {
      expect(RECEIVERS[name]?.(delivery, secret)).toEqual(JSON.parse(sent));
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') throw error;
      return false;
    }
  });
}

const ids = idSource(Date.now());
const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Events with any text in them, and data of any shape. */
const bodies = fc.record({ text: fc.string({ unit: 'binary', maxLength: 200 }), data: fc.jsonValue() }).map((event) => {
  const id = ids.next('evt');
  return { id, body: JSON.stringify({ id, object: 'event', ...event }) };
});
const samples = fc.sample(bodies, { numRuns: DELIVERIES, seed: SEED });

function signed(secrets: readonly string[], id: string, body: string, atSeconds = nowSeconds()): Delivery {
  return { headers: signatureHeaders(secrets, id, atSeconds, body), body: Buffer.from(body) };
}

/** One random bit of a text's UTF-8 is changed. */
function flipped(bytes: Buffer, from = 0, to = bytes.length): Buffer {
  const changed = Buffer.from(bytes);
  const at = randomInt(from, to);
  changed.writeUInt8(changed.readUInt8(at) ^ (1 << randomInt(0, 8)), at);
  return changed;
}

function flippedText(text: string, from = 0, to = text.length): string {
  return flipped(Buffer.from(text, 'latin1'), from, to).toString('latin1');
}

/** Each changes one bit of the one thing, in every form in which it is there. */
const CHANGES: Readonly<Record<string, (delivery: Delivery) => Delivery>> = {
  body: ({ headers, body }) => ({ headers, body: flipped(body) }),
  signature: ({ headers, body }) => ({
    headers: {
      ...headers,
      'webhook-signature': flippedText(headers['webhook-signature'] ?? ''),
      'Bursar-Signature': flippedText(headers['Bursar-Signature'] ?? '', 't=1234567890,'.length),
    },
    body,
  }),
  time: ({ headers, body }) => ({
    headers: {
      ...headers,
      'webhook-timestamp': flippedText(headers['webhook-timestamp'] ?? ''),
      'Bursar-Signature': flippedText(headers['Bursar-Signature'] ?? '', 0, 't=1234567890,'.length),
    },
    body,
  }),
  id: ({ headers, body }) => {
    const idAt = '{"id":"'.length;
    return {
      headers: { ...headers, 'webhook-id': flippedText(headers['webhook-id'] ?? '') },
      body: flipped(body, idAt, idAt + 'evt_'.length + 26),
    };
  },
};
const KINDS = Object.keys(CHANGES);

describe(`${DELIVERIES} random deliveries`, () => {
  const secret = newSecret();

  it('are verified by every library', () => {
    let beyondAscii = 0;
    for (const { id, body } of samples) {
      expect(accepting(signed([secret], id, body), secret, body), body).toEqual(NAMES);
      if (Buffer.byteLength(body) !== body.length) beyondAscii++;
    }
    expect(beyondAscii).toBeGreaterThan(DELIVERIES / 2);
  });

  it('are refused by every library when one bit is changed', () => {
    const refused: Record<string, number> = {};
    samples.forEach(({ id, body }, index) => {
      const delivery = signed([secret], id, body);
      expect(accepting(delivery, secret, body)).toEqual(NAMES); // so it is the bit that is refused
      const kind = KINDS[index % KINDS.length] as string;
      const changed = (CHANGES[kind] as (delivery: Delivery) => Delivery)(delivery);
      expect(accepting(changed, secret, body), `${kind}: ${JSON.stringify(changed)}`).toEqual([]);
      refused[kind] = (refused[kind] ?? 0) + 1;
    });
    expect(refused).toEqual(Object.fromEntries(KINDS.map((kind) => [kind, DELIVERIES / KINDS.length])));
  });

  it('are refused when the id of the header alone is changed, by those that sign it', () => {
    const [{ id, body }] = samples as [(typeof samples)[0]];
    const { headers, body: bytes } = signed([secret], id, body);
    const changed = { headers: { ...headers, 'webhook-id': flippedText(id) }, body: bytes };
    expect(accepting(changed, secret, body)).toEqual(['stripe']);
  });

  it('are refused when they are older than five minutes', () => {
    for (const { id, body } of samples.slice(0, 50)) {
      expect(accepting(signed([secret], id, body, nowSeconds() - 310), secret, body)).toEqual([]);
    }
  });
});

describe('while a secret is rolled', () => {
  const [old, fresh, third] = [newSecret(), newSecret(), newSecret()];

  it('receivers with the old one and receivers with the new one verify', () => {
    for (const { id, body } of samples.slice(0, 100)) {
      const delivery = signed([fresh, old], id, body);
      expect(accepting(delivery, old, body)).toEqual(NAMES);
      expect(accepting(delivery, fresh, body)).toEqual(NAMES);
      expect(accepting(delivery, third, body)).toEqual([]);
    }
  });

  it('the old one is refused afterwards', () => {
    for (const { id, body } of samples.slice(0, 100)) {
      expect(accepting(signed([fresh], id, body), old, body)).toEqual([]);
    }
  });
});

describe('control: a signer at fault is refused', () => {
  const secret = newSecret();
  const bytesOf = (text: string) => Buffer.from(text.slice('whsec_'.length), 'base64');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);

  interface Signs {
    readonly key: string | Buffer;
    readonly text: string;
    readonly stripeKey: string;
    readonly stripeText: string;
  }

  /** A signer of our own: what each form signs with and over, less a fault. */
  function faulty(id: string, body: string, fault: (body: string, at: number) => Partial<Signs>): Delivery {
    const at = nowSeconds();
    const right = { key: bytesOf(secret), text: `${id}.${at}.${body}`, stripeKey: secret, stripeText: `${at}.${body}` };
    const signs: Signs = { ...right, ...fault(body, at) };
    return {
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,${hmac(signs.key, signs.text).digest('base64')}`,
        'Bursar-Signature': `t=${at},v1=${hmac(signs.stripeKey, signs.stripeText).digest('hex')}`,
      },
      body: Buffer.from(body),
    };
  }

  it('signs with a secret that is not the receiver’s', () => {
    for (const { id, body } of samples.slice(0, 100)) {
      expect(accepting(signed([newSecret()], id, body), secret, body)).toEqual([]);
    }
  });

  const FAULTS: readonly (readonly [string, (body: string, at: number) => Partial<Signs>, readonly string[]])[] = [
    ['nothing', () => ({}), NAMES],
    ['the time', (body) => ({ text: body, stripeText: body }), []],
    ['the id', (body, at) => ({ text: `${at}.${body}` }), ['stripe']],
    ['to decode the secret', () => ({ key: secret }), ['stripe']],
    ['how the secret begins', () => ({ stripeKey: secret.slice('whsec_'.length) }), ['standardwebhooks', 'svix']],
  ];

  it.each(FAULTS)('forgets %s', (_, fault, expected) => {
    for (const { id, body } of samples.slice(0, 20)) {
      expect(accepting(faulty(id, body, fault), secret, body)).toEqual(expected);
    }
  });
});
