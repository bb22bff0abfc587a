/**
 * What a person approves in live is signed by their passkey: exactly these payouts, as they were on the screen, once. Over HTTP, with real passkeys; each
 * refusal has a control beside it that gets through.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import type { Answered, BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { member } from '../../../test/support/dashboard/people.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { BANK_ACCOUNT, idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';

interface Seen {
  readonly id: string;
  readonly fingerprint: string;
}

let application: Application;
let maker: Client;
let third: Holder;
let account = '';
let recipient = '';
let ada: BrowserClient;
beforeAll(async () => {
  application = await startApplication();
  const { live } = application;
  maker = live.client;
  third = await application.key({ livemode: true });
  must(await maker.post('/v1/bank_accounts', BANK_ACCOUNT));
  account = idIn(await maker.post('/v1/accounts', { currency: 'EUR' }));
  await application.submit(live.environmentId, { type: 'fund_account', account, amount: '1000000' });
  recipient = idIn(await maker.post('/v1/recipients', RECIPIENT));
  must(await maker.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
  ada = await approver();
});
afterAll(() => application?.stop());

/** Somebody who may approve in live, with a passkey. */
async function approver(): Promise<BrowserClient> {
  const { browser, user } = await member(application, [application.live], ['approver']);
  must(await third.client.post(`/v1/users/${user}/confirm`));
  return browser;
}

async function held(): Promise<Seen> {
  const { json } = must(await maker.post('/v1/payouts', { amount: 10, currency: 'EUR', recipient, account }));
  return seen(json);
}
const seen = (payout: Json): Seen => ({
  id: payout['id'] as string,
  fingerprint: (payout['release'] as { fingerprint: string }).fingerprint,
});
const releaseOf = async (id: string) =>
  must(await maker.get(`/v1/payouts/${id}`)).json['release'] as {
    status: string;
    approvals: { proof?: string }[];
  };
const outcome = ({ status, code }: Answered) => `${status} ${code ?? ''}`.trim();
const approve = (browser: BrowserClient, payouts: readonly Seen[], idempotencyKey?: string) =>
  browser.post(
    '/v1/payouts/approve',
    { payouts },
    { environment: 'live', ...(idempotencyKey !== undefined && { idempotencyKey }) },
  );
const NOT_SIGNED = '403 step_up_required';

describe('what a passkey approves in live', () => {
  it('it has signed: the proof can be checked by whoever has the row and the public key', async () => {
    const payouts = [await held(), await held(), await held()];
    expect(await ada.stepUp()).toMatchObject({ status: 200 });
    expect(outcome(await approve(ada, payouts))).toBe(NOT_SIGNED); // a step-up that says nothing of them
    expect(await ada.stepUp(payouts)).toMatchObject({ status: 200 });
    expect(outcome(await approve(ada, payouts.toReversed()))).toBe('200'); // in whatever order
    const releases = await Promise.all(payouts.map(({ id }) => releaseOf(id)));
    expect(new Set(releases.map(({ status }) => status))).toEqual(new Set(['approved']));
    const [proof, ...others] = new Set(releases.map(({ approvals }) => approvals[0]?.proof));
    expect(others).toEqual([]);
    const [row] = await application.sql(
      `SELECT p.nonce, p.approves, p.assertion ->> 'clientDataJSON' AS client, p.assertion ->> 'authenticatorData' AS data,
        p.assertion ->> 'signature' AS signature, k.public_key
       FROM approval_proofs p JOIN passkeys k ON k.id = p.passkey_id WHERE p.challenge = $1`,
      [proof],
    );
    const text = (name: string) => row?.[name] as string;
    const lines = payouts.map(({ id, fingerprint }) => `${id} ${fingerprint}`).toSorted();
    expect(text('approves')).toBe(lines.join('\n'));
    const hash = createHash('sha256')
      .update(`${text('nonce')}\n${lines.join('\n')}`)
      .digest('base64url');
    expect(hash).toBe(proof);
    const client = Buffer.from(text('client'), 'base64url');
    expect(JSON.parse(client.toString())).toMatchObject({ challenge: proof, type: 'webauthn.get', origin: ada.origin });
    const signed = Buffer.concat([
      Buffer.from(text('data'), 'base64url'),
      createHash('sha256').update(client).digest(),
    ]);
    const signature = Buffer.from(text('signature'), 'base64url');
    const key = publicKey(row?.['public_key'] as Buffer);
    expect(verify('sha256', signed, key, signature)).toBe(true);
    expect(verify('sha256', Buffer.concat([signed, Buffer.of(0)]), key, signature)).toBe(false); // control
  });

  it('is exactly what was signed: no other payouts, none more, none less, none that was changed', async () => {
    const [one, two, three] = [await held(), await held(), await held()];
    await ada.stepUp([one, two]);
    for (const others of [
      [one],
      [two],
      [one, two, three],
      [three],
      [one, { ...two, fingerprint: three.fingerprint }],
    ]) {
      expect(outcome(await approve(ada, others))).toBe(NOT_SIGNED);
    }
    const single = { fingerprint: one.fingerprint };
    expect(outcome(await ada.post(`/v1/payouts/${one.id}/approve`, single, { environment: 'live' }))).toBe(NOT_SIGNED);
    expect(outcome(await approve(ada, [one, two]))).toBe('200'); // control
  });

  it('counts once: what was changed and changed back is signed anew', async () => {
    const payout = await held();
    must(await maker.post('/v1/settings/payouts', { approvals_required: 2 }));
    const twice = await held();
    await ada.stepUp([twice]);
    expect(outcome(await approve(ada, [twice], 'the first time'))).toBe('200');
    expect(outcome(await approve(ada, [twice], 'the first time'))).toBe('200'); // the same request
    must(await maker.post(`/v1/payouts/${twice.id}`, { reference: 'another' }));
    const back = seen(must(await maker.post(`/v1/payouts/${twice.id}`, { reference: null })).json);
    expect(back).toEqual(twice);
    expect((await releaseOf(twice.id)).approvals).toEqual([]);
    expect(outcome(await approve(ada, [twice], 'replayed'))).toBe(NOT_SIGNED);
    await ada.stepUp([twice]);
    expect(outcome(await approve(ada, [twice], 'signed anew'))).toBe('200'); // control
    expect((await releaseOf(payout.id)).status).toBe('held');
  });

  it('one signature lets one of many requests through', async () => {
    const payout = await held();
    await ada.stepUp([payout]);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => approve(ada, [payout], `race ${n} ${payout.id}`)),
    );
    const outcomes = all.map(outcome).toSorted();
    expect(outcomes).toEqual(['200', ...Array<string>(9).fill(NOT_SIGNED)]);
  });

  it('is that person, in that session', async () => {
    const payout = await held();
    const bob = await approver();
    await bob.stepUp([payout]);
    await ada.stepUp();
    expect(outcome(await approve(ada, [payout]))).toBe(NOT_SIGNED);
    expect(outcome(await approve(bob, [payout]))).toBe('200'); // control
  });

  it('is signed by a passkey, not by an answer that is wrong', async () => {
    const payout = await held();
    const { json } = await ada.post('/step_up/options', { approves: [payout] });
    const options = json as { challenge: string };
    const unsigned = await ada.post('/step_up', {
      assertion: ada.authenticator.get(options, { challenge: 'b3RoZXI' }),
    });
    expect(outcome(unsigned)).toBe('403 sign_in_refused');
    expect(outcome(await approve(ada, [payout]))).toBe(NOT_SIGNED);
    expect(await application.sql('SELECT 1 FROM approval_proofs WHERE challenge = $1', [options.challenge])).toEqual(
      [],
    );
  });

  it('by the payout and by the batch, too', async () => {
    const payout = await held();
    await ada.stepUp([payout]);
    const alone = await ada.post(
      `/v1/payouts/${payout.id}/approve`,
      { fingerprint: payout.fingerprint },
      { environment: 'live' },
    );
    expect(outcome(alone)).toBe('200');
    const item = { amount: 5, currency: 'EUR', recipient, account };
    const batch = idIn(await maker.post('/v1/payouts/batch', { payouts: [item, item], allow_repeated: true }));
    const release = must(await maker.get(`/v1/payout_batches/${batch}/release`)).json;
    const fingerprint = release['fingerprint'] as string;
    const say = () => ada.post(`/v1/payout_batches/${batch}/approve`, { fingerprint }, { environment: 'live' });
    expect(outcome(await say())).toBe(NOT_SIGNED);
    await ada.stepUp([{ id: batch, fingerprint }]);
    expect(outcome(await say())).toBe('200');
  });
});

describe('without a signature', () => {
  it('approves who has shown a code, since a code signs nothing', async () => {
    const browser = await approver();
    const { secret } = (await browser.post('/totp/start')).json as { secret: string };
    expect((await browser.post('/totp/confirm', { code: new TOTP({ secret }).generate() })).status).toBe(200);
    const payout = await held();
    expect(outcome(await approve(browser, [payout]))).toBe(NOT_SIGNED); // an app that was added is no way around
    const code = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
    expect((await browser.post('/step_up', { code })).status).toBe(200);
    expect(outcome(await approve(browser, [payout]))).toBe('200');
    expect((await releaseOf(payout.id)).approvals[0]).not.toHaveProperty('proof');
  });

  it('approves a key', async () => {
    const payout = await held();
    must(await third.client.post('/v1/payouts/approve', { payouts: [payout] }));
    expect((await releaseOf(payout.id)).approvals[0]).not.toHaveProperty('proof');
  });

  it('a question about approvals takes payouts and batches, at most a thousand', async () => {
    const ask = async (approves: unknown) => outcome(await ada.post('/step_up/options', { approves }));
    const one = { id: (await held()).id, fingerprint: 'f' };
    expect(await ask([])).toBe('400 parameter_invalid');
    expect(await ask([{ ...one, id: account }])).toBe('400 parameter_invalid');
    const many = (length: number) => Array.from({ length }, () => one);
    expect(await ask(many(1_001))).toBe('400 parameter_invalid');
    expect(await ask(many(1_000))).toBe('200'); // control
  });
});

/** The key of a passkey, as COSE has it (`test/support/dashboard/authenticator.ts`). */
function publicKey(cose: Buffer): ReturnType<typeof createPublicKey> {
  const at = (mark: string) => {
    const from = cose.indexOf(Buffer.from(mark, 'hex')) + mark.length / 2;
    return cose.subarray(from, from + 32).toString('base64url');
  };
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: at('215820'), y: at('225820') }, format: 'jwk' });
}
