/** Signatures against vectors that others published or computed. Against the libraries: test/webhook-signatures.test.ts. */
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from './signature.ts';

/** The vector of the Standard Webhooks and Svix documentation. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const AT = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const STANDARD = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const STRIPE = 'v1=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964';

const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the headers of a delivery', () => {
  it('match the published vector, in both forms', () => {
    expect(signatureHeaders([SECRET], ID, AT, BODY)).toEqual({
      'webhook-id': ID,
      'webhook-timestamp': '1614265330',
      'webhook-signature': STANDARD,
      'Bursar-Signature': `t=1614265330,${STRIPE}`,
    });
  });

  it('sign with every secret of an overlap, the newest first', () => {
    const alone = signatureHeaders([OTHER], ID, AT, BODY);
    const both = signatureHeaders([OTHER, SECRET], ID, AT, BODY);
    expect(both['webhook-signature']).toBe(`${alone['webhook-signature']} ${STANDARD}`);
    expect(both['Bursar-Signature']).toBe(`${alone['Bursar-Signature']},${STRIPE}`);
  });

  it.each([
    ['another secret', signatureHeaders([OTHER], ID, AT, BODY), true],
    ['another body', signatureHeaders([SECRET], ID, AT, '{"test": 2432232315}'), true],
    ['another second', signatureHeaders([SECRET], ID, AT + 1, BODY), true],
    ['another event', signatureHeaders([SECRET], 'msg_other', AT, BODY), false],
  ])('%s is another signature', (_, headers, inBoth) => {
    expect(headers['webhook-signature']).not.toBe(STANDARD);
    // Stripe's form has no place for the id: there the one in the body counts.
    expect(headers['Bursar-Signature']?.endsWith(STRIPE)).toBe(!inBoth);
  });

  it.each([
    ['no secret', [], AT],
    ['a text that is no secret', ['sk_test_123'], AT],
    ['half a second', [SECRET], AT + 0.5],
  ])('are refused for %s', (_, secrets, at) => {
    expect(() => signatureHeaders(secrets, ID, at, BODY)).toThrow('Assertion failed');
  });
});
