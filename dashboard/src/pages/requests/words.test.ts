/** A request as the curl line that makes it again, and what its refusal says. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlOf, docsOf, messageOf, tookInWords } from './words.ts';

const POST = {
  method: 'POST',
  path: '/v1/payouts',
  request: { amount: '1.00', metadata: { "it's": '$(rm -rf /) `x`' }, expand: ['recipient'], reference: null },
  idempotency_key: "k'1",
};

describe('a request as curl', () => {
  it('survives a shell, whatever it holds', () => {
    const line = curlOf(POST, 'http://h').replace(/^curl/, 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', line], { encoding: 'utf8', env: { BURSAR_KEY: 'sk' } }).split('\n');
    expect(words).toEqual([
      'http://h/v1/payouts',
      '-H',
      'Authorization: Bearer sk',
      '-H',
      "Idempotency-Key: k'1",
      ...['amount=1.00', "metadata[it's]=$(rm -rf /) `x`", 'expand[0]=recipient', 'reference='].flatMap((pair) => [
        '--data-urlencode',
        pair,
      ]),
      '',
    ]);
  });

  it('says what has to be filled in', () => {
    const line = curlOf({ ...POST, request: { name: '•' } }, 'http://h');
    expect(line.split('\n')[0]).toBe('# What is • was not kept: fill it in.');
    expect(curlOf(POST, 'http://h')).toMatch(/^curl /);
  });

  it('asks a GET by its query, and a DELETE by its method', () => {
    const get = curlOf(
      { method: 'GET', path: '/v1/payouts', request: { limit: '2' }, idempotency_key: null },
      'http://h',
    );
    expect(get).toContain('-G');
    const gone = curlOf({ method: 'DELETE', path: '/v1/limits/1', request: null, idempotency_key: null }, 'http://h');
    expect(gone).toContain('-X DELETE');
  });
});

describe('what a refusal says', () => {
  it('reads the error with and without its frame', () => {
    expect(messageOf({ message: 'No.' })).toBe('No.');
    expect(messageOf({ error: { message: 'No.' } })).toBe('No.');
    expect(messageOf(null)).toBeNull();
  });

  it('leads to no address but https, or to the docs of this host', () => {
    expect(docsOf({ doc_url: 'https://pay.example.com/docs/errors#a' }, 'a')).toBe(
      'https://pay.example.com/docs/errors#a',
    );
    expect(docsOf({ doc_url: 'javascript:alert(1)' }, 'a b')).toBe('/docs/errors#a%20b');
    expect(docsOf(null, null)).toBe('/docs/errors');
  });

  it.each([
    [4, '4 ms'],
    [999, '999 ms'],
    [1_250, '1.3 s'],
  ])('shows %d as %s', (ms, text) => expect(tookInWords(ms)).toBe(text));
});
