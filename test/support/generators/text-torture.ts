/**
 * T19, the other half: every parameter of every operation of the OpenAPI document, with text that no text may hold, names
 * mistyped, values sent twice, of the wrong kind, in broken encodings, too deep and too long. Always a 4xx with the
 * contract's body, and nothing written. Control: the same requests unspoiled are accepted. One case in seventeen:
 * `test/long/small/torture-text.test.ts`; all: `test/long/torture-text.test.ts`.
 */
import { stringify } from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../harness/application.ts';
import { type ProbeClient, probe, refusalIn, type Sent } from '../harness/probe-client.ts';
import { type Contract, codeOf, type Operation, readContract } from './contract.ts';
import { type Fixtures, furnish } from '../harness/fixtures.ts';
import type { Json, JsonValue } from '../harness/http.ts';
import { exampleBody, pathOf, standing } from './places.ts';
import { type Schema, schemaFaults } from './schema.ts';
import { BROKEN_ENCODINGS, FORBIDDEN_CHARACTERS } from './torture.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * The tests. `every`: of the cases of a test only each so-manieth. Where that number has no divisor in common with the number of
 * characters, each character and each place still has its turn.
 */
export function textTorture(every: number): void {
  let application: Application;
  let ask: ProbeClient;
  let contract: Contract;
  let fixtures: Fixtures;
  let before: string;
  let writes: readonly Operation[];
  let lists: readonly Operation[];

  beforeAll(async () => {
    application = await startApplication();
    ask = probe(application);
    contract = readContract((await application.sandbox.client.get('/openapi.json')).json);
    fixtures = await furnish(application, application.sandbox);
    writes = contract.operations.filter(({ body }) => body !== undefined);
    lists = contract.operations.filter(({ method }) => method === 'GET');
    before = await ask.written();
  });

  afterAll(() => application?.stop());

  const pathFor = (operation: Operation) => pathOf(operation, (kind) => fixtures[kind]);
  const queryNames = ({ parameters }: Operation) =>
    parameters
      .filter((each) => each.in === 'query')
      .flatMap(({ name, 'x-single': single }) => (single === undefined ? [name] : [single, name]));

  /**
   * The code of a refusal. A batch says it item by item; a check of a recipient, and a look for one, write nothing and say in
   * a 200 what is wrong.
   */
  function refused(operation: Operation, sent: Sent): string {
    const checked = checkedIn(operation, sent);
    const code = checked ? 'batch_invalid' : refusalIn(sent);
    const { errors } = (checked ?? sent.json['error']) as { errors?: readonly Json[] };
    return code === 'batch_invalid' && errors ? (errors[0]?.['code'] as string) : code;
  }

  function checkedIn({ operationId }: Operation, { status, json }: Sent): Json | undefined {
    if (status !== 200) return undefined;
    if (operationId === 'validateRecipient') return json['valid'] === false ? json : undefined;
    if (!operationId.startsWith('matchRecipient')) return undefined;
    const [match] = (json['results'] ?? [json]) as readonly Json[];
    return match?.['status'] === 'invalid' ? match : undefined;
  }

  interface Case {
    readonly operation: Operation;
    readonly what: string;
    readonly send: () => Promise<Sent>;
    readonly code?: RegExp;
  }

  /** Collects what was not refused, with what was sent, so that one run shows all of it. */
  async function expectRefusals(cases: Iterable<Case>): Promise<number> {
    const faults: string[] = [];
    let count = 0;
    for (const { operation, what, send, code = /./ } of cases) {
      count += 1;
      if (count % every !== 0) continue;
      try {
        const got = refused(operation, await send());
        if (!code.test(got)) faults.push(`${operation.operationId} ${what}: ${got}`);
      } catch (error) {
        faults.push(`${operation.operationId} ${what}: ${(error as Error).message}`);
      }
    }
    expect(faults).toEqual([]);
    expect(await ask.written()).toBe(before);
    return count;
  }

  /** Ways to every place in a body where a text can stand, metadata included. */
  function textPlaces(
    schema: Schema,
    way: readonly (string | number)[] = [],
  ): readonly (readonly (string | number)[])[] {
    const items = schema['items'] as Schema | undefined;
    if (items) return textPlaces(items, [...way, 0]);
    if (typeof schema['additionalProperties'] === 'object') return [[...way, 'key']];
    if (schema['properties'] === undefined) return [schema['type']].flat().includes('string') ? [way] : [];
    return Object.entries(schema['properties'] as Record<string, Schema>).flatMap(([name, inner]) =>
      textPlaces(inner, [...way, name]),
    );
  }

  const jsonOf = (operation: Operation, way: readonly (string | number)[], value: JsonValue) =>
    standing(exampleBody(operation, fixtures), way, value);
  const nameOf = ([first, ...rest]: readonly (string | number)[]) =>
    `${first}${rest.map((step) => `[${step}]`).join('')}`;

  describe('text', () => {
    it('with a control, bidi or broken character is refused in every place of every body', async () => {
      const cases = function* () {
        for (const operation of writes) {
          for (const way of textPlaces(operation.body as Schema)) {
            for (const [name, character] of FORBIDDEN_CHARACTERS) {
              const body = JSON.stringify(jsonOf(operation, way, `a${character}b`));
              yield {
                operation,
                what: `${nameOf(way)} with ${name}`,
                send: () => ask.send('POST', pathFor(operation), body),
              };
            }
          }
        }
      };
      expect(await expectRefusals(cases())).toBeGreaterThan(4_000);
    });

    it('is refused in a form, a query and a metadata key as well', async () => {
      const cases = function* () {
        for (const [name, character] of FORBIDDEN_CHARACTERS) {
          if (/surrogate/.test(name)) continue; // has no form encoding; see the broken encodings
          const text = `a${character}b`;
          for (const operation of writes) {
            const way = textPlaces(operation.body as Schema)[0];
            if (way === undefined) continue;
            const form = stringify(jsonOf(operation, way, text));
            yield {
              operation,
              what: `form ${nameOf(way)} with ${name}`,
              send: () => ask.send('POST', pathFor(operation), form, FORM),
            };
            if (!Object.hasOwn((operation.body as { properties: object }).properties, 'metadata')) continue;
            const keyed = JSON.stringify({ ...exampleBody(operation, fixtures), metadata: { [text]: 'b' } });
            yield { operation, what: `a key with ${name}`, send: () => ask.send('POST', pathFor(operation), keyed) };
          }
          for (const operation of lists) {
            for (const parameter of queryNames(operation)) {
              const url = `${pathFor(operation)}?${parameter}=${encodeURIComponent(text)}`;
              yield { operation, what: `${parameter} with ${name}`, send: () => ask.send('GET', url) };
            }
          }
        }
      };
      expect(await expectRefusals(cases())).toBeGreaterThan(4_000);
    });

    it('is never a card number, and never longer than allowed', async () => {
      const read = ['reference', 'statement_descriptor', 'description', 'name'];
      const free = [...read, 'external_id', 'metadata'];
      const cases = function* () {
        for (const operation of writes) {
          for (const way of textPlaces(operation.body as Schema)) {
            if (!way.some((step) => free.includes(String(step)))) continue;
            const isRead = way.some((step) => read.includes(String(step)));
            for (const card of isRead
              ? ['4111111111111111', '4111 1111 1111 1111', '４１１１１１１１１１１１１１１１']
              : []) {
              const send = () => ask.send('POST', pathFor(operation), JSON.stringify(jsonOf(operation, way, card)));
              yield { operation, what: `${nameOf(way)}: a card`, send, code: /^card_number_refused$/ };
            }
            for (const long of ['x'.repeat(501), 'é'.repeat(501), '😀'.repeat(501), 'x'.repeat(100_000)]) {
              const send = () => ask.send('POST', pathFor(operation), JSON.stringify(jsonOf(operation, way, long)));
              yield {
                operation,
                what: `${nameOf(way)}: ${long.length} characters`,
                send,
                code: /^(?:text_too_long|metadata_invalid)$/,
              };
            }
          }
        }
      };
      expect(await expectRefusals(cases())).toBeGreaterThan(100);
    });
  });

  describe('names', () => {
    /** The name without its last letter, with two swapped, and with one more. */
    const mistyped = (name: string) => [
      name.slice(0, -1),
      name.slice(0, 2) + name.slice(3, 4) + name.slice(2, 3) + name.slice(4),
      `${name}s`,
    ];

    it('that are mistyped are refused, and the nearest known one is offered', async () => {
      const cases: Case[] = [];
      const hintless: string[] = [];
      for (const operation of [...writes, ...lists]) {
        const known = operation.body
          ? Object.keys((operation.body as { properties: object }).properties)
          : queryNames(operation);
        for (const name of known.map((each) => each.replace('[]', '')).filter((each) => each.length > 4)) {
          for (const wrong of mistyped(name).filter((each) => !known.includes(each))) {
            const body = JSON.stringify({ ...exampleBody(operation, fixtures), [wrong]: 'x' });
            const what = `${wrong} for ${name}`;
            const send = async () => {
              const sent = operation.body
                ? await ask.send('POST', pathFor(operation), body)
                : await ask.send('GET', `${pathFor(operation)}?${wrong}=x`);
              if (!sent.text.includes(`Did you mean ${name}?`)) hintless.push(what);
              return sent;
            };
            cases.push({ operation, what, send, code: /^parameter_unknown$/ });
          }
        }
      }
      expect(await expectRefusals(cases)).toBeGreaterThan(200);
      expect(hintless).toEqual([]);
    });

    it.each([
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      '',
      ' amount',
      'amount ',
      'AMOUNT',
      'amount\u0000',
      'x'.repeat(100_000),
      '\ud800',
    ])('no operation takes a parameter %j', async (name) => {
      const cases = function* () {
        for (const operation of writes) {
          const body = JSON.stringify(exampleBody(operation, fixtures))
            .replace(/\}$/, `,${JSON.stringify(name)}:"x"}`)
            .replace('{,', '{');
          yield { operation, what: 'JSON', send: () => ask.send('POST', pathFor(operation), body) };
          if (name === '\ud800') continue;
          yield {
            operation,
            what: 'form',
            send: () => ask.send('POST', pathFor(operation), `${encodeURIComponent(name)}=x`, FORM),
          };
        }
        if (name.length > 100 || name === '\ud800') return;
        for (const operation of contract.operations) {
          const url = `${pathFor(operation)}?${encodeURIComponent(name)}=x`;
          yield {
            operation,
            what: 'query',
            send: () =>
              ask.send(operation.method, url, operation.body && JSON.stringify(exampleBody(operation, fixtures))),
          };
        }
      };
      await expectRefusals(cases());
    });

    it('that are sent twice are refused', async () => {
      const cases = function* () {
        for (const operation of writes) {
          for (const name of Object.keys((operation.body as { properties: object }).properties)) {
            const json = `{"${name}":"5","${name}":"5"}`;
            yield {
              operation,
              what: `JSON ${name}`,
              send: () => ask.send('POST', pathFor(operation), json),
              code: /^parameter_repeated$/,
            };
            const form = () => ask.send('POST', pathFor(operation), `${name}=5&${name}=5`, FORM);
            yield { operation, what: `form ${name}`, send: form, code: /^parameter_repeated$/ };
            const both = () => ask.send('POST', pathFor(operation), `${name}=5&${name}[a]=5`, FORM);
            yield {
              operation,
              what: `form ${name} and ${name}[a]`,
              send: both,
              code: /^parameter_(?:invalid|repeated)$/,
            };
          }
        }
        for (const operation of lists) {
          for (const name of queryNames(operation).filter((each) => !each.endsWith('[]'))) {
            const send = () => ask.send('GET', `${pathFor(operation)}?${name}=5&${name}=5`);
            yield { operation, what: `query ${name}`, send, code: /^parameter_repeated$/ };
          }
        }
      };
      expect(await expectRefusals(cases())).toBeGreaterThan(200);
    });
  });

  describe('values', () => {
    const WRONG: readonly JsonValue[] = [
      null,
      true,
      false,
      0,
      5,
      -5,
      1.5,
      '',
      [],
      {},
      { a: 'b' },
      [[]] as never,
      ['5'] as never,
      { 0: '5' },
      'x'.repeat(10),
    ];

    it('of the wrong kind are refused wherever the document does not allow them', async () => {
      let allowed = 0;
      const cases = function* () {
        for (const operation of writes) {
          const schema = operation.body as Schema;
          for (const name of Object.keys(schema['properties'] as object)) {
            for (const value of WRONG) {
              const body = { ...exampleBody(operation, fixtures), [name]: value };
              if (schemaFaults(schema, body, contract.schemas).length === 0) {
                allowed += 1;
                continue;
              }
              yield {
                operation,
                what: `${name}: ${JSON.stringify(value)}`,
                send: () => ask.send('POST', pathFor(operation), JSON.stringify(body)),
              };
            }
          }
        }
      };
      expect(await expectRefusals(cases())).toBeGreaterThan(700);
      expect(allowed).toBeGreaterThan(20);
    });

    it('control: the examples of the document are accepted as they are', async () => {
      const harmless = writes.filter(({ body }) =>
        Object.hasOwn((body as { properties: object }).properties, 'dry_run'),
      );
      expect(harmless.length).toBeGreaterThanOrEqual(3);
      for (const operation of harmless) {
        const body = JSON.stringify({ ...exampleBody(operation, fixtures), dry_run: true });
        const sent = await ask.send('POST', pathFor(operation), body);
        expect([operation.operationId, sent.status, codeOf(sent.text)]).toEqual([
          operation.operationId,
          200,
          undefined,
        ]);
      }
      expect(await ask.written()).toBe(before);
    });
  });

  describe('bytes', () => {
    it('that are no text are refused in every body and query', async () => {
      const cases = function* () {
        for (const [name, encoded] of BROKEN_ENCODINGS) {
          for (const operation of writes) {
            const send = () => ask.send('POST', pathFor(operation), `metadata[a]=${encoded}`, FORM);
            yield { operation, what: `form with ${name}`, send, code: /^body_invalid$/ };
            const raw = Buffer.from(
              encoded.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
              'latin1',
            );
            if (encoded.startsWith('%z') || encoded === '%' || encoded === '%4') continue;
            for (const type of [
              FORM,
              'application/json',
              ...(operation.bodyTypes.includes('text/csv') ? ['text/csv'] : []),
            ]) {
              const body = Buffer.concat([Buffer.from('{"name":"'), raw, Buffer.from('"}')]);
              yield {
                operation,
                what: `${type} with ${name}`,
                send: () => ask.send('POST', pathFor(operation), body, type),
                code: /^body_invalid$/,
              };
            }
          }
          for (const operation of contract.operations) {
            const body = operation.body && JSON.stringify(exampleBody(operation, fixtures));
            const send = () => ask.send(operation.method, `${pathFor(operation)}?a=${encoded}`, body);
            yield { operation, what: `query with ${name}`, send, code: /^body_invalid$/ };
          }
        }
      };
      expect(await expectRefusals(cases())).toBeGreaterThan(700);
    });
  });
}
