/** Decisions about webhook endpoints: every command, every refusal. Who hears which event: `core/state.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from './fields.ts';
import { given } from '../../../test/support/harness/given.ts';
import { AT, BEFORE, ENDPOINT, idAt, webhookEndpoint } from '../../../test/support/harness/literals.ts';
import type { Command } from '../../write/slices.ts';
import { type CreateWebhookEndpoint, MAX_ENDPOINTS, MAX_SECRETS, type UpdateWebhookEndpoint } from './decide.ts';
import { API_VERSION } from '../../core/values/version.ts';

const OTHER = idAt('we', 2);
const UNKNOWN = idAt('we', 99);
const HOUR_MS = 3_600_000;

const NEW: CreateWebhookEndpoint = {
  type: 'create_webhook_endpoint',
  id: idAt('we', 50),
  url: 'https://hooks.example.com/',
  enabledEvents: ['payout.*'],
  description: null,
  version: API_VERSION,
  ordered: false,
  sealedSecret: 'v1.new',
  scopes: null,
  headers: undefined,
  metadata: { team: 'a', empty: '' },
};
const update = (changes: Partial<UpdateWebhookEndpoint>): UpdateWebhookEndpoint => ({
  type: 'update_webhook_endpoint',
  endpoint: ENDPOINT,
  url: undefined,
  enabledEvents: undefined,
  description: undefined,
  version: undefined,
  ordered: undefined,
  headers: undefined,
  metadata: undefined,
  scopes: null,
  ...changes,
});
const remove = { type: 'delete_webhook_endpoint', endpoint: ENDPOINT } as const;
const enable = { type: 'enable_webhook_endpoint', endpoint: ENDPOINT } as const;
const disable = (reason: 'requested' | 'failing' | 'gone' = 'requested') =>
  ({ type: 'disable_webhook_endpoint', endpoint: ENDPOINT, reason }) as const;
const roll = (overlapMs: number, sealedSecret = 'v1.second') =>
  ({ type: 'roll_webhook_secret', endpoint: ENDPOINT, sealedSecret, overlapMs, scopes: null }) as const;
const test = { type: 'test_webhook_endpoint', endpoint: ENDPOINT } as const;
const health = (failingSinceMs: number | null) =>
  ({ type: 'note_webhook_health', endpoint: ENDPOINT, failingSinceMs }) as const;
const parked = { type: 'note_parked_delivery', endpoint: ENDPOINT } as const;
const replay = (after: bigint, until: bigint | null) =>
  ({
    type: 'replay_webhook_endpoint',
    endpoint: ENDPOINT,
    after,
    until,
    which: 'failed',
    eventType: null,
    scopes: null,
  }) as const;
const resend = (endpoint: string | null = null) =>
  ({ type: 'resend_event', sequence: 7n, eventType: 'payout.paid', endpoint, scopes: null }) as const;

const many = (count: number, fields: Partial<WebhookEndpoint> = {}) =>
  Array.from({ length: count }, (_, n) => webhookEndpoint({ id: idAt('we', n + 1), ...fields }));

describe('create_webhook_endpoint', () => {
  it('is enabled, with one secret, which its event does not hold', () => {
    const outcome = given()
      .when(NEW)
      .thenAccepts({
        reply: { object: 'webhook_endpoint_with_secret', endpoint: { id: NEW.id } },
        events: ['webhook_endpoint.created'],
        now: {
          [NEW.id]: {
            url: NEW.url,
            enabledEvents: ['payout.*'],
            status: 'enabled',
            disabledReason: null,
            secrets: [{ sealed: 'v1.new', expiresAt: null }],
            metadata: { team: 'a' },
            createdAt: AT,
          },
        },
      });
    expect(outcome.events[0]?.previous).toBeNull();
  });

  it('stops at the limit; a deleted one makes room', () => {
    given(...many(MAX_ENDPOINTS))
      .when(NEW)
      .thenRefuses('webhook_endpoint_limit');
    given(...many(MAX_ENDPOINTS - 1), webhookEndpoint({ id: idAt('we', 40), deletedAt: BEFORE }))
      .when(NEW)
      .thenAccepts({})
      .when({ ...NEW, id: idAt('we', 51) })
      .thenRefuses('webhook_endpoint_limit')
      .when(remove)
      .thenAccepts({})
      .when({ ...NEW, id: idAt('we', 51) })
      .thenAccepts({});
  });
});

describe('update_webhook_endpoint', () => {
  it('changes what was sent and tells what it was', () => {
    const outcome = given(webhookEndpoint({ description: 'old', metadata: { a: '1', b: '2' } }))
      .when(
        update({
          url: 'https://new.example.com/',
          enabledEvents: ['payout.*', 'ping'],
          description: null,
          ordered: true,
          metadata: { b: '', c: '3' },
        }),
      )
      .thenAccepts({
        events: ['webhook_endpoint.updated'],
        now: {
          [ENDPOINT]: {
            url: 'https://new.example.com/',
            enabledEvents: ['payout.*', 'ping'],
            description: null,
            ordered: true,
            metadata: { a: '1', c: '3' },
            secrets: [{ sealed: 'v1.first', expiresAt: null }],
          },
        },
      });
    expect(outcome.events[0]?.previous).toEqual({
      url: 'https://hooks.example.com/',
      enabled_events: ['*'],
      description: 'old',
      ordered: false,
      metadata: { b: '2', c: null },
    });
  });

  it('says nothing where nothing differs', () => {
    given(webhookEndpoint())
      .when(update({ url: 'https://hooks.example.com/', enabledEvents: ['*'], description: null, ordered: false }))
      .thenAccepts({ events: [], reply: { id: ENDPOINT } });
  });

  it('leaves a disabled one disabled', () => {
    given(webhookEndpoint({ status: 'disabled' }))
      .when(update({ ordered: true }))
      .thenAccepts({ now: { [ENDPOINT]: { status: 'disabled', disabledReason: 'requested', ordered: true } } });
  });

  it('refuses more metadata than an object may hold', () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
    given(webhookEndpoint({ metadata: { one: 'more' } }))
      .when(update({ metadata }))
      .thenRefuses('metadata_invalid');
  });
});

describe('delete_webhook_endpoint', () => {
  it('forgets the secrets and is gone for everything that follows', () => {
    given(webhookEndpoint())
      .when(remove)
      .thenAccepts({
        reply: { object: 'deleted', kind: 'webhook_endpoint', id: ENDPOINT },
        events: ['webhook_endpoint.deleted'],
        now: { [ENDPOINT]: { secrets: [], deletedAt: AT } },
      })
      .when(remove)
      .thenRefuses('resource_missing', { param: 'id' });
  });
});

describe('enable and disable', () => {
  it('each tells once; doing it again changes nothing, the reason least of all', () => {
    given(webhookEndpoint({ firstFailedAt: BEFORE }))
      .when(disable('gone'))
      .thenAccepts({
        events: ['webhook_endpoint.disabled'],
        now: { [ENDPOINT]: { status: 'disabled', disabledReason: 'gone' } },
      })
      .when(disable('requested'))
      .thenAccepts({ events: [], now: { [ENDPOINT]: { disabledReason: 'gone' } } })
      .when(enable)
      .thenAccepts({
        events: ['webhook_endpoint.updated'],
        now: { [ENDPOINT]: { status: 'enabled', disabledReason: null, firstFailedAt: null } },
      })
      .when(enable)
      .thenAccepts({ events: [] });
  });

  it('the events say what it was', () => {
    const disabled = given(webhookEndpoint()).when(disable());
    expect(disabled.events[0]?.previous).toEqual({ status: 'enabled', disabled_reason: null });
    expect(disabled.when(enable).events[0]?.previous).toEqual({ status: 'disabled', disabled_reason: 'requested' });
  });
});

describe('roll_webhook_secret', () => {
  const secretsOf = (outcome: { now(id: string): unknown }) => (outcome.now(ENDPOINT) as WebhookEndpoint).secrets;

  it('signs with the new one at once and with the old one for the overlap', () => {
    const outcome = given(webhookEndpoint())
      .when(roll(HOUR_MS))
      .thenAccepts({ events: ['webhook_endpoint.updated'], reply: { object: 'webhook_endpoint_with_secret' } });
    expect(secretsOf(outcome)).toEqual([
      { sealed: 'v1.second', expiresAt: null },
      { sealed: 'v1.first', expiresAt: AT + HOUR_MS },
    ]);
  });

  it('without an overlap forgets the old one; a shorter overlap shortens an earlier one, a longer does not stretch it', () => {
    expect(secretsOf(given(webhookEndpoint()).when(roll(0)))).toEqual([{ sealed: 'v1.second', expiresAt: null }]);
    const old = { sealed: 'v1.old', expiresAt: AT + HOUR_MS };
    const rolled = (overlapMs: number) =>
      secretsOf(
        given(webhookEndpoint({ secrets: [{ sealed: 'v1.first', expiresAt: null }, old] })).when(roll(overlapMs)),
      );
    expect(rolled(60_000).map(({ expiresAt }) => expiresAt)).toEqual([null, AT + 60_000, AT + 60_000]);
    expect(rolled(2 * HOUR_MS).map(({ expiresAt }) => expiresAt)).toEqual([null, AT + 2 * HOUR_MS, AT + HOUR_MS]);
  });

  it('drops what has expired and stops at the limit', () => {
    const secrets = (expiresAt: number) => [
      { sealed: 'v1.0', expiresAt: null },
      ...Array.from({ length: MAX_SECRETS - 1 }, (_, n) => ({ sealed: `v1.${n + 1}`, expiresAt })),
    ];
    given(webhookEndpoint({ secrets: secrets(AT + HOUR_MS) }))
      .when(roll(HOUR_MS))
      .thenRefuses('webhook_secret_limit')
      .when(roll(0))
      .thenAccepts({});
    const outcome = given(webhookEndpoint({ secrets: secrets(AT) })).when(roll(HOUR_MS));
    expect(secretsOf(outcome)).toHaveLength(2);
  });
});

describe('test_webhook_endpoint', () => {
  it('is a ping whose delivery is answered', () => {
    const outcome = given(webhookEndpoint())
      .when(test)
      .thenAccepts({
        events: ['ping'],
        reply: {
          object: 'delivery',
          endpoint: ENDPOINT,
          eventType: 'ping',
          sequence: 42n,
          status: 'pending',
          nextAttemptAt: AT,
          attempts: [],
        },
      });
    const [event] = outcome.events;
    expect(outcome.reply).toMatchObject({ event: event?.id, id: expect.stringMatching(/^dlv_/) });
    expect(event?.object.id).toBe(ENDPOINT);
  });
});

describe('what the dispatcher notices', () => {
  it('failing and working again are told once each', () => {
    const failing = given(webhookEndpoint())
      .when(health(BEFORE))
      .thenAccepts({ events: ['webhook_endpoint.failing'], now: { [ENDPOINT]: { firstFailedAt: BEFORE } } });
    expect(failing.events[0]?.previous).toEqual({ first_failed_at: null });
    const well = failing
      .when(health(BEFORE + 1))
      .thenAccepts({ events: [], now: { [ENDPOINT]: { firstFailedAt: BEFORE } } })
      .when(health(null))
      .thenAccepts({ events: ['webhook_endpoint.updated'], now: { [ENDPOINT]: { firstFailedAt: null } } });
    expect(well.events[0]?.previous).toEqual({ first_failed_at: Math.floor(BEFORE / 1000) });
    well.when(health(null)).thenAccepts({ events: [] });
  });

  it('says nothing about a disabled one', () => {
    given(webhookEndpoint({ status: 'disabled' }))
      .when(health(BEFORE))
      .thenAccepts({ events: [], now: { [ENDPOINT]: { firstFailedAt: null } } });
  });

  it('a parked delivery is told, the endpoint stays as it is', () => {
    given(webhookEndpoint({ ordered: true }))
      .when(parked)
      .thenAccepts({
        events: ['webhook_endpoint.delivery_parked'],
        now: { [ENDPOINT]: webhookEndpoint({ ordered: true }) },
      });
  });
});

describe('replay_webhook_endpoint', () => {
  const LAST = 41n;

  it.each<[after: bigint, until: bigint | null, expected: readonly [bigint, bigint]]>([
    [0n, null, [0n, LAST]],
    [10n, 20n, [10n, 20n]],
    [10n, 1_000n, [10n, LAST]],
    [1_000n, null, [LAST, LAST]],
    [20n, 10n, [10n, 10n]],
  ])('after %s until %s is the range %s', (after, until, [from, to]) => {
    given(webhookEndpoint())
      .when(replay(after, until))
      .thenAccepts({
        events: [],
        reply: {
          object: 'webhook_replay',
          endpoint: ENDPOINT,
          which: 'failed',
          afterSequence: from,
          untilSequence: to,
          reachedSequence: from,
          deliveriesCount: 0n,
          createdAt: AT,
          finishedAt: null,
        },
      });
  });
});

describe('resend_event', () => {
  it('goes to every enabled endpoint that asks for the type, each as a replay of that event', () => {
    const outcome = given(
      webhookEndpoint({ enabledEvents: ['payout.*'] }),
      webhookEndpoint({ id: OTHER, enabledEvents: ['account.created'] }),
      webhookEndpoint({ id: idAt('we', 3), status: 'disabled' }),
      webhookEndpoint({ id: idAt('we', 4), deletedAt: BEFORE }),
      webhookEndpoint({ id: idAt('we', 5), enabledEvents: ['ping', 'payout.paid'] }),
    ).when(resend());
    expect(outcome.reply).toMatchObject({
      replays: [
        { endpoint: ENDPOINT, afterSequence: 6n, untilSequence: 7n, which: 'named' },
        { endpoint: idAt('we', 5), afterSequence: 6n, untilSequence: 7n, which: 'named' },
      ],
    });
  });

  it('goes to the named one whatever it asks for', () => {
    const outcome = given(webhookEndpoint({ enabledEvents: ['ping'] }), webhookEndpoint({ id: OTHER })).when(
      resend(ENDPOINT),
    );
    expect(outcome.reply).toMatchObject({ replays: [{ endpoint: ENDPOINT }] });
  });

  it('refuses where nobody asks for the type', () => {
    given().when(resend()).thenRefuses('webhook_endpoint_none', { param: 'webhook_endpoint' });
    given(webhookEndpoint({ enabledEvents: ['payout.created'] }), webhookEndpoint({ id: OTHER, status: 'disabled' }))
      .when(resend())
      .thenRefuses('webhook_endpoint_none');
  });
});

describe('what is not there, and what is disabled', () => {
  const ALL: readonly Command[] = [
    update({ ordered: true }),
    remove,
    enable,
    disable(),
    roll(0),
    test,
    health(BEFORE),
    parked,
    replay(0n, null),
  ];
  const named = (command: Command) => [command.type, command] as const;

  it.each(ALL.map(named))('%s refuses an unknown and a deleted endpoint', (_, command) => {
    given(webhookEndpoint({ id: UNKNOWN }))
      .when(command)
      .thenRefuses('resource_missing', { param: 'id' });
    given(webhookEndpoint({ deletedAt: BEFORE }))
      .when(command)
      .thenRefuses('resource_missing', { param: 'id' });
  });

  it('resend_event names its parameter', () => {
    given(webhookEndpoint()).when(resend(UNKNOWN)).thenRefuses('resource_missing', { param: 'webhook_endpoint' });
    given(webhookEndpoint({ status: 'disabled' }))
      .when(resend(ENDPOINT))
      .thenRefuses('webhook_endpoint_disabled', { param: 'webhook_endpoint', current_status: 'disabled' });
  });

  it.each([test, replay(0n, null)].map(named))('%s refuses a disabled endpoint', (_, command) => {
    given(webhookEndpoint({ status: 'disabled' }))
      .when(command)
      .thenRefuses('webhook_endpoint_disabled', { param: 'id', current_status: 'disabled' });
  });
});

describe('a restricted key has no events sent that it may not read', () => {
  const of = (...scopes: string[]) => ({ scopes: new Set(['webhook_endpoints:write', ...scopes]) });
  const endpoint = webhookEndpoint({ enabledEvents: ['payout.*'] });
  const url = 'https://elsewhere.example.com/';
  const named = { eventType: 'payout.paid' as const, which: 'named' as const };

  it.each<[string, Command]>([
    ['creating one', { ...NEW, ...of('accounts:read') }],
    ['creating one for everything', { ...NEW, enabledEvents: ['*'], ...of('payouts:read') }],
    ['one of several patterns', { ...NEW, enabledEvents: ['account.*', 'payout.paid'], ...of('accounts:read') }],
    ['batches are payouts', { ...NEW, enabledEvents: ['payout_batch.*'], ...of('exchanges:read') }],
    ['a payout may be a salary', { ...NEW, ...of('payouts:read') }],
    ['so may what a bank booked', { ...NEW, enabledEvents: ['bank_entry.assigned'], ...of('bank_entries:read') }],
    ['balances are accounts', { ...NEW, enabledEvents: ['balance.updated'], ...of('payouts:read') }],
    ['asking for more', update({ enabledEvents: ['payout.*', 'recipient.*'], ...of('payouts:read') })],
    ['leading what is on its way elsewhere', update({ url, ...of('accounts:read') })],
    [
      'asking for less, and leading the rest elsewhere later',
      update({ enabledEvents: ['account.*'], ...of('accounts:read') }),
    ],
    ['a new secret', { ...roll(0), ...of('accounts:read') }],
    ['sending all again', { ...replay(0n, null), ...of('accounts:read') }],
    ['sending one again', { ...replay(6n, 7n), ...named, ...of('accounts:read') }],
    ['sending one to everybody again', { ...resend(), ...of('accounts:read') }],
    ['sending one to one again', { ...resend(ENDPOINT), ...of('recipients:write') }],
  ])('%s', (_, command) => {
    given(endpoint).when(command).thenRefuses('scope_missing');
  });

  it('the message names what is missing, once each', () => {
    const { refusal } = given(endpoint)
      .when({ ...NEW, enabledEvents: ['*'], ...of('payouts:read', 'accounts:write') })
      .thenRefuses('scope_missing', { param: 'enabled_events' });
    expect(refusal?.message).toBe(
      'This restricted key may not have these events sent: it lacks exchanges:read, standing_orders:read, recipients:read, settings:read, keys:read, payout_rules:read, limits:read, fee_rules:read, payment_links:read, payments:read, bank_accounts:read, payment_files:read, statement_files:read, bank_entries:read, payroll:read.',
    );
    expect(refusal?.details.allowed).toEqual(['webhook_endpoints:write', 'payouts:read', 'accounts:write']);
  });

  it.each<[string, Command]>([
    ['what it may read', { ...NEW, ...of('payouts:read', 'payroll:read') }],
    ['to write is to read', { ...NEW, ...of('payouts:write', 'payroll:read') }],
    ['events of endpoints', { ...NEW, enabledEvents: ['webhook_endpoint.*', 'ping', 'environment.restored'], ...of() }],
    ['another address', update({ url, ...of('payouts:read', 'payroll:read') })],
    ['other words', update({ description: 'new', ordered: true, metadata: { a: 'b' }, ...of() })],
    ['a new secret', { ...roll(0), ...of('payouts:read', 'payroll:read') }],
    ['all again', { ...replay(0n, null), ...of('payouts:read', 'payroll:read') }],
    [
      'one that it did not ask for, again',
      { ...replay(6n, 7n), ...named, eventType: 'account.closed', ...of('accounts:read') },
    ],
    ['one again', { ...resend(ENDPOINT), ...of('payouts:read', 'payroll:read') }],
    ['everything, with a secret key', { ...NEW, enabledEvents: ['*'], scopes: null }],
  ])('control: %s', (_, command) => {
    given(endpoint).when(command).thenAccepts({});
  });
});
