/**
 * T18, the tenant wall: every operation of the OpenAPI document with every kind of id, asked with the key of another
 * merchant, in the session of a person of another merchant who has every role there, of the other mode, a revoked key, a key that lacks the scope and no key. Nothing is found, nothing is shown,
 * nothing is changed. Control: with the environment taken out of the statements, the same questions find the leak. A few ids in
 * each place: `test/tenant-wall.soak.test.ts`; all: `test/long/tenant-wall.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '../../../src/core/roles.ts';
import { RESOURCES } from '../../../src/platform/http/route.ts';
import { type Application, type Holder, startApplication } from '../harness/application.ts';
import { answerFaults, codeOf, type Contract, type Operation, readContract } from './contract.ts';
import type { BrowserClient } from '../dashboard/browser-client.ts';
import { member } from '../dashboard/people.ts';
import { eventually } from '../harness/eventually.ts';
import { type Fixtures, furnish } from '../harness/fixtures.ts';
import { Client, type Json, type Reply } from '../harness/http.ts';
import { exampleBody, idPlaces, type Kind, KINDS, kindOf, pathOf, standing } from './places.ts';
import { rewriteStatements } from '../faults/rewrite.ts';

/** Asks as the dashboard does, in the session of a person. */
class SessionClient extends Client {
  readonly #headers: Readonly<Record<string, string>>;

  constructor(address: string, { cookie }: BrowserClient, environmentId: string) {
    super(address, '');
    this.#headers = {
      cookie: `__Host-bursar=${cookie}`,
      'sec-fetch-site': 'same-origin',
      'bursar-environment': environmentId,
    };
  }

  override send(...[method, path, body, given, at]: Parameters<Client['send']>): Promise<Reply> {
    return super.send(method, `/dashboard/api${path}`, body, { ...this.#headers, ...given }, at);
  }
}

interface Tenant {
  readonly name: string;
  readonly holder: Holder;
  readonly fixtures: Fixtures;
  /** Stands in every text of its objects. */
  readonly mark: string;
}

export interface WallSize {
  /** Who is asked about and who asks: 0 a sandbox, 1 the live environment beside it, 2 and 3 those of another merchant. */
  readonly pairs: readonly (readonly [victim: number, attacker: number])[];
  /** Of the kinds of id that do not belong in a place only each so-manieth is tried there. */
  readonly every: number;
}

/** The tests. */
export function tenantWall({ pairs, every }: WallSize): void {
  /** One statement more for the control: how it is sent to PostgreSQL. */
  let rewrite = (text: string): string => text;
  let asTheyAre: () => void;

  let application: Application;
  let contract: Contract;
  let tenants: Tenant[];

  beforeAll(async () => {
    asTheyAre = rewriteStatements((statement) => {
      const { text, name } = statement;
      if (text === undefined) return statement;
      const changed = rewrite(text);
      return changed === text ? statement : { ...statement, text: changed, name: name && `${name}_changed` };
    });
    application = await startApplication();
    contract = readContract((await application.sandbox.client.get('/openapi.json')).json);
    const { sandbox, live, otherSandbox, otherLive } = application;
    tenants = [];
    for (const [name, holder] of Object.entries({ sandbox, live, otherSandbox, otherLive })) {
      const mark = `mark-of-${name}`;
      tenants.push({ name, holder, mark, fixtures: await furnish(application, holder, mark, { limited: true }) });
    }
    // Live environments get the fixings of rates within seconds, without anybody asking.
    const fixed = async () => {
      const [row] = await application.sql('SELECT count(DISTINCT environment_id)::int4 AS count FROM fixings');
      return row?.['count'] as number;
    };
    await eventually('two environments have fixings', async () => (await fixed()) >= 2);
  });

  afterAll(async () => {
    asTheyAre?.();
    await application?.stop();
  });

  const isLive = (tenant: Tenant) => /live/i.test(tenant.name);
  const writes = (operation: Operation) => operation.method !== 'GET';

  function send(holder: Holder, operation: Operation, path: string, body: Json): Promise<Reply> {
    return writes(operation) && operation.body
      ? holder.client.write(operation.method, path, body)
      : holder.client.write(operation.method, path, '');
  }

  /** What a question must come to: `404 resource_missing`. A batch says it item by item. */
  function said(reply: Reply): string {
    const refusal = reply.status === 200 ? undefined : reply.json['error'];
    const errors = (refusal as { errors?: { code: string }[] } | undefined)?.errors;
    const missing = errors !== undefined && errors.every(({ code }) => code === 'resource_missing');
    return missing ? '404 resource_missing' : `${reply.status} ${codeOf(reply.text) ?? 'ok'}`;
  }

  /** Every id of the victim in every place of every operation, asked by the attacker; `about`: of these paths only. Returns what came through. */
  async function breaches(victim: Tenant, attacker: Tenant, about = /./): Promise<{ asked: number; faults: string[] }> {
    const faults: string[] = [];
    let asked = 0;
    let turn = 0;
    /** Another selection in each place, so that every kind has its turn. */
    const isTried = (kind: Kind, wanted: readonly (Kind | undefined)[]) =>
      wanted.includes(kind) || (turn += 1) % every === 0;
    const expected = (operation: Operation, otherwise: string) =>
      operation.sandboxOnly && isLive(attacker) ? '403 sandbox_only' : otherwise;
    const own = (operation: Operation) => pathOf(operation, (kind) => attacker.fixtures[kind]) + required(operation);
    const ask = async (operation: Operation, path: string, body: Json, outcome: string) => {
      asked += 1;
      const reply = await send(attacker.holder, operation, path, body);
      const got = said(reply);
      const what = `${operation.method} ${path} ${JSON.stringify(body)} as ${attacker.name}`;
      if (got !== outcome) faults.push(`${what}: ${got}, not ${outcome}`);
      if (reply.status === 200 && showsAnything(reply.text, victim)) faults.push(`${what}: shows ${victim.name}`);
      faults.push(...answerFaults(contract, operation, reply).map((fault) => `${what}: ${fault}`));
    };

    for (const operation of contract.operations.filter(({ path }) => about.test(path))) {
      const body = exampleBody(operation, attacker.fixtures);
      const questions: Promise<void>[] = [];
      const inPath = operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ schema }) => kindOf(schema));
      for (const kind of KINDS) {
        const id = victim.fixtures[kind];
        if (inPath.length > 0 && isTried(kind, inPath)) {
          const path = pathOf(operation, () => id) + required(operation);
          questions.push(ask(operation, path, body, expected(operation, '404 resource_missing')));
          // One id of the victim's among one's own, where a path has several.
          const mixed =
            pathOf(operation, (each) => (each === kind ? id : attacker.fixtures[each])) + required(operation);
          if (mixed !== path && mixed !== own(operation)) {
            questions.push(ask(operation, mixed, body, expected(operation, '404 resource_missing')));
          }
        }
        // A validation answers what is wrong, and quotes it.
        const isAsked = operation.body && operation.operationId !== 'validateRecipient';
        for (const place of isAsked ? idPlaces(operation.body) : []) {
          if (!isTried(kind, [place.kind])) continue;
          const outcome = place.kind === kind ? '404 resource_missing' : wrongKind(place.way);
          const asking = standing(body, place.way, id) as Json;
          questions.push(ask(operation, own(operation), asking, expected(operation, outcome)));
        }
        for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
          const wanted =
            name === 'related_object' ? kind : kindOf((schema['items'] as typeof schema | undefined) ?? schema);
          if (wanted === undefined || !isTried(kind, name === 'related_object' ? [] : [wanted])) continue;
          const path = `${own(operation)}?${isPaged(operation) ? `${asMuchAsPossible(operation)}&` : ''}${name}=${id}`;
          // A filter by what is unknown finds nothing; a page cannot begin behind it; and what is no list is of what it names.
          const ofList = /^(?:starting_after|ending_before)$/.test(name) ? '400 resource_missing' : '200 ok';
          const outcome = isPaged(operation) ? ofList : '404 resource_missing';
          const asking = operation.body ? body : {};
          // Who did something may be a key or a user.
          const takes = wanted === kind || JSON.stringify(schema).includes(`^${kind}_[`);
          questions.push(ask(operation, path, asking, takes ? expected(operation, outcome) : '400 parameter_invalid'));
        }
      }
      if (operation.operationId === 'listPayouts') {
        questions.push(
          ask(operation, `${operation.path}?external_id=${victim.mark}`, {}, expected(operation, '200 ok')),
        );
      }
      if (!writes(operation)) {
        const path = isPaged(operation) ? `${own(operation)}?${asMuchAsPossible(operation)}` : own(operation);
        questions.push(ask(operation, path, {}, expected(operation, '200 ok')));
      }
      await Promise.all(questions);
    }
    return { asked, faults };
  }

  /** What a query must name. */
  const NEEDED: Readonly<Record<string, string>> = { month: '2026-10', country: 'DE', currency: 'EUR' };

  function required({ parameters }: Operation): string {
    const needed = parameters.filter(({ required: isRequired, in: where }) => isRequired && where === 'query');
    return needed.length === 0 ? '' : `?${needed.map(({ name }) => `${name}=${NEEDED[name]}`).join('&')}`;
  }

  const isPaged = ({ streams, parameters }: Operation) => streams || parameters.some(({ name }) => name === 'limit');

  /** The largest page, or everything from the first event on. */
  const asMuchAsPossible = ({ streams }: Operation) => (streams ? 'after_sequence=0' : 'limit=100');

  /** An id of another kind is malformed; in a batch that is said item by item. Payouts to approve are named by their ids. */
  const wrongKind = (way: readonly unknown[]) =>
    (way[0] === 'payouts' && way.at(-1) !== 'id') || way[0] === 'recipients'
      ? '400 batch_invalid'
      : '400 parameter_invalid';

  function showsAnything(text: string, victim: Tenant): boolean {
    return [victim.mark, ...Object.values(victim.fixtures)].some((mark) => text.includes(mark));
  }

  /** Every row of an environment, as one text; without sums, which follow its transfers by themselves. */
  async function rowsOf(tenant: Tenant): Promise<readonly unknown[]> {
    const tables = await application.sql(
      `SELECT table_name AS name FROM information_schema.columns
      WHERE column_name = 'environment_id' AND table_schema = 'public' AND table_name NOT IN ('api_keys', 'daily_sums', 'summary_state') ORDER BY 1`,
    );
    const [environment] = await application.sql('SELECT environment_id FROM api_keys WHERE last4 = $1', [
      tenant.holder.key.slice(-4),
    ]);
    return Promise.all(
      tables.map(({ name }) =>
        application.sql(
          `SELECT count(*), md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${String(name)} t WHERE environment_id = $1`,
          [environment?.['environment_id']],
        ),
      ),
    );
  }

  /** Every operation on objects of the first sandbox, with that authorization. */
  async function answers(
    authorization: string | undefined | ((operation: Operation) => Holder),
    only: (operation: Operation) => boolean = () => true,
  ): Promise<Set<string>> {
    const [tenant] = tenants as [Tenant];
    const seen = await Promise.all(
      contract.operations.filter(only).map(async (operation) => {
        const path = pathOf(operation, (kind) => tenant.fixtures[kind]);
        const body = exampleBody(operation, tenant.fixtures);
        if (typeof authorization === 'function')
          return said(await send(authorization(operation), operation, path, body));
        const { client } = tenant.holder;
        const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
        if (authorization === undefined) Object.assign(headers, { authorization: '' });
        const payload = writes(operation) && operation.body ? JSON.stringify(body) : '';
        return said(await client.send(operation.method, path, payload, headers));
      }),
    );
    return new Set(seen);
  }

  describe('another environment', () => {
    it.each(pairs)('of tenant %i shows nothing to tenant %i and is not changed by it', async (victim, attacker) => {
      const [kept, asking] = [tenants[victim] as Tenant, tenants[attacker] as Tenant];
      const before = await rowsOf(kept);
      const { asked, faults } = await breaches(kept, asking);
      expect(faults).toEqual([]);
      expect(asked).toBeGreaterThan(300);
      expect(await rowsOf(kept)).toEqual(before);
    });

    it.each(pairs)('of tenant %i shows nothing to a person of tenant %i, in any role', async (victim, attacker) => {
      const [kept, asking] = [tenants[victim] as Tenant, tenants[attacker] as Tenant];
      const { holder } = asking;
      const { browser } = await member(application, [holder], ROLES);
      // What decides in live wants a factor of the last minutes; the long wall takes more of them.
      // A code, since a passkey would have to sign each approval.
      const shown = "stepped_up_at = now() + interval '2 hours', stepped_up_by = 'code'";
      await application.sql(`UPDATE sessions SET ${shown} WHERE ended_at IS NULL`);
      const client = new SessionClient(application.address, browser, holder.environmentId);
      // It is cached for a moment as it was.
      const until = async () => Number((await client.get('/v1/me')).json['stepped_up_until']) * 1000;
      await eventually('the session as it is', async () => (await until()) > Date.now() + 3_600_000);
      const person: Tenant = { ...asking, name: `a person of ${asking.name}`, holder: { ...holder, client } };
      const before = await rowsOf(kept);
      const { asked, faults } = await breaches(kept, person);
      client.close();
      expect(faults).toEqual([]);
      expect(asked).toBeGreaterThan(300);
      expect(await rowsOf(kept)).toEqual(before);
    });

    it.each(pairs)('of tenant %i is not open to a person of tenant %i who names it', async (victim, attacker) => {
      const [kept, asking] = [tenants[victim] as Tenant, tenants[attacker] as Tenant];
      const { browser } = await member(application, [asking.holder], ROLES);
      const client = new SessionClient(application.address, browser, kept.holder.environmentId);
      const seen = await answers(() => ({ ...kept.holder, client }));
      client.close();
      expect(seen).toEqual(new Set(['403 environment_not_open']));
    });

    it('never sees the answer that another one got under the same idempotency key', async () => {
      const options = { idempotencyKey: 'shared-by-all' };
      const body = { currency: 'EUR', name: 'the same' };
      const replies = await Promise.all(tenants.map(({ holder }) => holder.client.post('/v1/accounts', body, options)));
      expect(new Set(replies.map(({ json }) => json['id'])).size).toBe(4);
      expect(replies.map(({ headers }) => headers['idempotent-replayed'])).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      const other = await Promise.all(
        tenants.map(({ holder, name }) => holder.client.post('/v1/accounts', { currency: 'USD', name }, options)),
      );
      expect(other.map(said)).toEqual(Array(4).fill('400 idempotency_key_reused'));
    });
  });

  describe('a key', () => {
    it('that is missing, malformed, mistyped, unknown or of another scheme opens nothing', async () => {
      const [tenant] = tenants as [Tenant];
      const { key } = tenant.holder;
      const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
      const unknown = `sk_test_${'a'.repeat(49)}`;
      const basic = Buffer.from(`${key}:password`).toString('base64');
      for (const authorization of [
        undefined,
        `Bearer ${mistyped}`,
        `Bearer ${unknown}`,
        key,
        `Token ${key}`,
        `Basic ${basic}`,
        'Bearer ',
      ]) {
        expect(await answers(authorization)).toEqual(new Set(['401 api_key_invalid']));
      }
    });

    it('that was revoked or has expired opens nothing', async () => {
      const revoked = await application.key();
      await application.revoke(revoked);
      expect(await answers(() => revoked)).toEqual(new Set(['401 api_key_invalid']));
      const expired = await application.key({ expiresAt: Date.now() - 1 });
      expect(await answers(() => expired)).toEqual(new Set(['401 api_key_invalid']));
    });

    it('that has every scope but the one is refused; to write a resource is to read it too', async () => {
      const all = RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]);
      const needsScope = ({ scopes }: Operation) => scopes.length > 0;
      const needing = contract.operations.filter(needsScope);
      expect(needing.map(({ scope }) => scope).filter((scope) => !all.includes(scope))).toEqual([]);
      const open = contract.operations.filter((operation) => !needsScope(operation));
      expect(open.map(({ operationId }) => operationId)).toEqual(['retrieveMe']); // says to each key who it is
      const without = new Map<string, Holder>();
      const only = new Map<string, Holder>();
      for (const scope of all) {
        const lacking = scope.endsWith(':read') ? [scope, scope.replace('read', 'write')] : [scope]; // to write is to read too
        without.set(scope, await application.key({ scopes: all.filter((each) => !lacking.includes(each)) }));
        only.set(scope, await application.key({ scopes: [scope] }));
      }
      // An event is shown as far as other read scopes go: `events/log/shown.test.ts`.
      const isPlainRead = ({ operationId, method, parameters }: Operation) =>
        method === 'GET' &&
        operationId !== 'retrieveEvent' &&
        operationId !== 'retrieveMe' &&
        !parameters.some(({ required, in: where }) => required && where === 'query');
      expect(await answers(({ scope }) => without.get(scope) as Holder, needsScope)).toEqual(
        new Set(['403 scope_missing']),
      );
      const reads = await answers(({ scope }) => only.get(scope) as Holder, isPlainRead);
      expect(reads).toEqual(new Set(['200 ok']));
      const writers = await answers(({ scope }) => only.get(scope.replace('read', 'write')) as Holder, isPlainRead);
      expect(writers).toEqual(new Set(['200 ok']));
      const listless = await application.key({ scopes: [] });
      expect(await answers(() => listless, needsScope)).toEqual(new Set(['403 scope_missing']));
    });

    it('that is live never opens a test helper', async () => {
      const live = await answers(
        () => application.live,
        ({ sandboxOnly }) => sandboxOnly,
      );
      expect(live).toEqual(new Set(['403 sandbox_only']));
      expect(contract.operations.filter(({ sandboxOnly }) => sandboxOnly).length).toBeGreaterThan(6);
    });
  });

  describe('control: without the environment in the statements', () => {
    const LEAKING = /^\/v1\/(?:payouts|accounts|events|webhook_endpoints|deliveries)\b/;
    const withoutFilter = (text: string) =>
      text.startsWith('SELECT')
        ? text.replace(/\b\w+\.environment_id = (\$1|k\.environment_id)/g, '$1::uuid IS NOT NULL')
        : text;

    it('the same questions find the leak, in lists, by id and in bodies', async () => {
      rewrite = withoutFilter;
      try {
        const { faults } = await breaches(tenants[0] as Tenant, tenants[2] as Tenant, LEAKING);
        const leaks = (pattern: RegExp) => faults.filter((fault) => pattern.test(fault)).length;
        expect(leaks(/^GET \/v1\/payouts[ ?].*shows sandbox/)).toBeGreaterThan(0);
        expect(leaks(/^GET \/v1\/accounts\/acct_.*200 ok, not 404/)).toBeGreaterThan(0);
        expect(leaks(/^GET \/v1\/events\/evt_.*shows sandbox/)).toBeGreaterThan(0);
        expect(leaks(/^GET \/v1\/webhook_endpoints\/we_\w+[ ?].*shows sandbox/)).toBeGreaterThan(0);
        expect(leaks(/^GET \/v1\/deliveries[ ?].*shows sandbox/)).toBeGreaterThan(0);
        expect(leaks(/^GET \/v1\/events\/stream.*shows sandbox/)).toBeGreaterThan(0);
        expect(leaks(/^POST \/v1\/payouts .*not 404/)).toBeGreaterThan(0);
      } finally {
        rewrite = (text) => text;
      }
    });
  });
}
