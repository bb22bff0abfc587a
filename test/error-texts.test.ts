/**
 * The words of refusals: each code has a meaning and a what-to-do on the page that `doc_url` leads to, each message in the code is a sentence
 * for people, and a real server names the parameter and the value wherever it refuses one. Rules have a control. The words:
 * `src/core/values/errors.ts`, `src/core/values/error-advice.ts`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WHAT_TO_DO } from '../src/core/values/error-advice.ts';
import { type Code, ERRORS, errorBody, refusal } from '../src/core/values/errors.ts';
import { errorsPage } from '../src/platform/http/errors.ts';
import { stage } from '../site/stage.ts';
import { type Application, startApplication } from './support/harness/application.ts';
import { ROUTES } from './support/harness/all-routes.ts';
import { furnish } from './support/harness/fixtures.ts';
import type { Client, Json } from './support/harness/http.ts';
import { must } from './support/harness/tenant-fixture.ts';
import { REFUSED, type Sent } from './support/harness/refused-requests.ts';
import { ELSEWHERE } from './support/harness/refused-elsewhere.ts';
import { REFUSED_STATES } from './support/harness/refused-states.ts';
import { faultsOf, messagesIn } from './tidy/messages.ts';
import { ROOT, source, sourcesIn } from './tidy/source.ts';

const CODES = Object.keys(ERRORS) as Code[];
const DOCUMENT = readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8');
const OPERATIONS = new Set(ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':id')}`));
/** Words of the API and of the command line's pages; a key of an answer stands in quotes, a scope before a colon. */
const isPublic = (word: string) =>
  DOCUMENT.includes(`"${word}"`) || DOCUMENT.includes(`${word}:`) || word === 'rk_test_';
const MOST_WORDS = 30;

describe('the page that explains codes', () => {
  const sentences = (text: string) => text.split(/(?<=[.?]`?)\s+(?=[A-Z`])/);
  const faultsOfPage = (text: string) => [
    ...faultsOf(text, (word) => isPublic(word) || /^(?:proxy_http_version|po_)$/.test(word), OPERATIONS),
    ...(/^[A-Z`]/.test(text) ? [] : ['begins in the middle']),
    ...(text.length < 20 ? ['says nothing'] : []),
    ...sentences(text)
      .filter((each) => each.split(/\s+/).length > MOST_WORDS)
      .map((each) => `is long: ${each}`),
  ];

  it.each(CODES)('%s: a meaning, and what to do', (code) => {
    expect(faultsOfPage(ERRORS[code].meaning)).toEqual([]);
    expect(faultsOfPage(WHAT_TO_DO[code])).toEqual([]);
    expect(WHAT_TO_DO[code]).not.toBe(ERRORS[code].meaning);
  });
  it('control: a stub, a riddle and an operation that is gone are seen', () => {
    expect(faultsOfPage('Fix it')).toEqual(['has no full stop', 'says nothing']);
    expect(faultsOfPage('Please contact support about the request.')).toEqual(['nobody can be contacted']);
    expect(faultsOfPage('Send it again with `POST /v1/payouts/:id/undo`.')).toEqual([
      'there is no POST /v1/payouts/:id/undo',
    ]);
    expect(faultsOfPage('Look at the table bank_lines, or at findPayout.')).toHaveLength(2);
    expect(faultsOfPage(`${'word '.repeat(MOST_WORDS)}and more.`)).toHaveLength(2);
  });

  it('has the anchor of each doc_url, with the server’s own page and in the site', () => {
    const site = stage(ROOT).pages.get('errors') ?? '';
    const own = errorsPage();
    for (const code of CODES) {
      const { error } = JSON.parse(errorBody(refusal(code, 'x'), 'req_1')) as { error: { doc_url: string } };
      const [page, anchor] = error.doc_url.split('#');
      expect(page).toBe('/docs/errors');
      expect(own).toContain(`id="${anchor}"`);
      expect(site).toContain(`id="${anchor}"`);
      expect(site).toContain(WHAT_TO_DO[code].replaceAll('|', '\\|'));
    }
    expect(site).not.toContain('id="of_no_code"');
  });
});

describe('messages in the code', () => {
  const messages = sourcesIn('src')
    .filter(({ path }) => !path.endsWith('.test.ts') && path !== 'src/core/values/errors.ts')
    .flatMap(messagesIn);

  it('are sentences that name nothing internal', () => {
    expect(messages.length).toBeGreaterThan(250);
    const wrong = messages.flatMap(({ path, line, text }) =>
      faultsOf(text, isPublic, OPERATIONS).map((fault) => `${path}:${line}: "${text}": ${fault}`),
    );
    expect(wrong).toEqual([]);
  });
  it('control: each place that makes one is read, and each fault is seen', () => {
    const code = [
      "refusal('payout_held', 'No stop', {});",
      "new RequestError(\n  'path_unknown',\n  `In ${{ a: 1 }.a} findPayout.`,\n);",
      "paramError('text_invalid', path, `In bank_lines.`);",
      "const message = '';",
      'const message = `Ask ${who}: POST /v1/payouts/${id}/undo.`;',
    ].join('\n');
    const found = messagesIn(source('src/a.ts', code)).map(({ text }) => faultsOf(text, isPublic, OPERATIONS).join());
    expect(found).toEqual([
      'has no full stop',
      'findPayout is a name of the code',
      'bank_lines is no word of the API',
      'is empty,has no full stop',
      'there is no POST /v1/payouts/:id/undo',
    ]);
  });
});

describe('a real server', () => {
  let application: Application;
  const seen = new Map<string, Json>();
  const kept: Record<string, unknown> = {};
  const clients = new Map<string, Client>();

  beforeAll(async () => {
    application = await startApplication();
    Object.assign(kept, await furnish(application, application.sandbox, 'texts', { limited: true }));
  }, 120_000);
  afterAll(() => application?.stop());

  /** One client for equal keys, so that steps of one person have one key. */
  const clientOf = async (as: Sent['as'] = 'sandbox'): Promise<Client> => {
    if (as === 'live' || as === 'sandbox') return application[as].client;
    const name = JSON.stringify(as);
    const made = clients.get(name) ?? (await application.key(as)).client;
    clients.set(name, made);
    return made;
  };
  const send = async (sent: Sent, n = 0) => {
    const client = await clientOf(sent.as);
    kept['n'] = String(n);
    const { method = 'POST', path, body, headers } = filled({ body: {}, headers: {}, ...sent });
    return method === 'GET' ? client.send('GET', path, '', headers) : client.write(method, path, body, { headers });
  };
  /** A step before, which has to be done. */
  const prepare = async (sent: Sent): Promise<void> => {
    for (let n = 0; n < (sent.times ?? 1); n++) {
      const reply = must(await send(sent, n));
      if (sent.keep !== undefined) kept[sent.keep] = reply.json;
    }
  };
  /** With the ids in place of `{acct}` and the like, and members of what was kept in place of `{payee.id}`. */
  const filled = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value ?? null).replaceAll(/\{(\w+(?:\.\w+)*)\}/g, (whole, name: string) => {
        const found = name.split('.').reduce<unknown>((inner, each) => (inner as Json | undefined)?.[each], kept);
        return typeof found === 'string' ? found : whole;
      }),
    ) as T;

  /** What a message leaves out, of the parameter and of the value that `param` is about. */
  const unnamed = ({ param, message }: Json, value: unknown): string[] => {
    if (typeof param !== 'string' || typeof message !== 'string') return [];
    const name = /([^[\]]+)\]?$/.exec(param.replace(/(?:\[\d*\])+$/, ''))?.[1] as string;
    // An id in the path is named by what it is of.
    const isNamed =
      [name, name.replaceAll('_', ' ')].some((each) => message.toLowerCase().includes(each.toLowerCase())) ||
      name === 'id';
    const shown = typeof value === 'string' ? value : null;
    const isShown = shown === null || shown === '' || SECRET.has(name) || message.includes(shown.slice(0, 40));
    return [
      ...(isNamed ? [] : [`${message} (does not name ${name})`]),
      ...(isShown ? [] : [`${message} (does not show ${shown})`]),
    ];
  };
  /** Never repeated in full. */
  const SECRET = new Set(['iban', 'account_number', 'reference', 'text', 'Authorization']);

  it.each([...REFUSED_STATES, ...REFUSED].map((each) => [each.code, each] as const))('%s', async (code, refused) => {
    for (const before of refused.before ?? []) await prepare(before);
    const { status, json } = await send(refused);
    const whole = json['error'] as Json;
    const error = (refused.isOfItem ? (whole['errors'] as readonly Json[])[0] : whole) as Json;
    expect([status, error?.['code'], error?.['param']]).toEqual([ERRORS[code].status, code, refused.param]);
    seen.set(code, error);
    expect(faultsOf(error['message'] as string, () => true, OPERATIONS)).toEqual([]);
    expect(unnamed(error, filled(refused.given))).toEqual([]);
    expect(whole['doc_url']).toBe(`${application.address}/docs/errors#${refused.isOfItem ? 'batch_invalid' : code}`);
  });

  /** Codes that neither a request here nor a test of its own reaches. */
  const unreached = (codes: readonly Code[], elsewhere: typeof ELSEWHERE): readonly string[] =>
    codes.filter((code) => {
      const file = elsewhere[code];
      return file === undefined ? !seen.has(code) : !new RegExp(`\\b${code}\\b`).test(textOf(file));
    });
  const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

  it('is asked for every code, here or in the test that is named', () => {
    expect(unreached(CODES, ELSEWHERE)).toEqual([]);
    expect(Object.keys(ELSEWHERE).filter((code) => seen.has(code))).toEqual([]);
  });
  it('control: a code that nobody asks for is seen, and so is a file that does not name it', () => {
    const { key_count: _, ...rest } = ELSEWHERE;
    expect(unreached(CODES, rest)).toEqual(['key_count']);
    expect(unreached(CODES, { ...rest, key_count: 'test/versions.test.ts' })).toEqual(['key_count']);
  });
  it('control: a message that names neither is seen', () => {
    const error = { code: 'parameter_invalid', param: 'payouts[0][amount]', message: 'Something is wrong.' };
    expect(unnamed(error, '1e3')).toHaveLength(2);
    expect(unnamed({ ...error, message: 'payouts[0][amount] must be a decimal, got "1e3".' }, '1e3')).toEqual([]);
  });
});
