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
import { type Fixtures, furnish } from './support/harness/fixtures.ts';
import type { Json } from './support/harness/http.ts';
import { REFUSED, type Refused } from './support/harness/refused-requests.ts';
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
  let fixtures: Fixtures;
  const seen = new Map<string, Json>();

  beforeAll(async () => {
    application = await startApplication();
    fixtures = await furnish(application, application.sandbox, 'texts', { limited: true });
  }, 120_000);
  afterAll(() => application?.stop());

  const send = async ({ as = 'sandbox', method = 'POST', path, body = {}, headers = {} }: Refused) => {
    const { client } =
      as === 'live' ? application.live : as === 'sandbox' ? application.sandbox : await application.key(as);
    const [address, content] = [path, body].map((each) => filled(each)) as [string, object | string];
    if (method === 'GET') return client.send('GET', address, '', headers);
    return client.write(method, address, content, { headers });
  };
  /** With the ids in place of `{acct}` and the like. */
  const filled = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value ?? null).replaceAll(
        /\{(\w+)\}/g,
        (whole, name: string) => ((fixtures as Json)[name] as string) ?? whole,
      ),
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

  it.each(REFUSED.map((each) => [each.code, each] as const))('%s', async (code, refused) => {
    for (const before of refused.before ?? []) await send({ ...before, code });
    const { status, json } = await send(refused);
    const error = json['error'] as Json;
    expect([status, error?.['code'], error?.['param']]).toEqual([ERRORS[code].status, code, refused.param]);
    seen.set(code, error);
    expect(faultsOf(error['message'] as string, () => true, OPERATIONS)).toEqual([]);
    expect(unnamed(error, filled(refused.given))).toEqual([]);
    expect(error['doc_url']).toBe(`${application.address}/docs/errors#${code}`);
  });

  it('was asked for most codes', () => expect(seen.size).toBeGreaterThan(60));
  it('control: a message that names neither is seen', () => {
    const error = { code: 'parameter_invalid', param: 'payouts[0][amount]', message: 'Something is wrong.' };
    expect(unnamed(error, '1e3')).toHaveLength(2);
    expect(unnamed({ ...error, message: 'payouts[0][amount] must be a decimal, got "1e3".' }, '1e3')).toEqual([]);
  });
});
