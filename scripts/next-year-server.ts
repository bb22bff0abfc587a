/**
 * The server of next year, for `scripts/clients.ts`: passes each request on to a server of today, and puts into its answers what may be added within a year
 * (`test/support/generators/next-year.ts`). Says its address on a line. Run: node --import tsx scripts/next-year-server.ts <address of a server>
 */
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { knownValues, NEW, nextAnswer } from '../test/support/generators/next-year.ts';

const [, , target = ''] = process.argv;
const known = knownValues(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Readonly<Record<string, unknown>>);

const server = createServer((asked, answer) => {
  const headers = { ...asked.headers, 'accept-encoding': 'identity' };
  const passed = request(new URL(asked.url ?? '/', target), { method: asked.method, headers }, (given) => {
    const own = { ...given.headers, 'next-year': 'new' };
    const isJson = given.headers['content-type']?.startsWith('application/json') === true;
    if (!isJson) {
      answer.writeHead(given.statusCode ?? 500, own);
      given.pipe(answer);
      return;
    }
    const chunks: Buffer[] = [];
    given.on('data', (chunk: Buffer) => chunks.push(chunk));
    given.on('end', () => {
      const body = JSON.stringify(nextAnswer(JSON.parse(Buffer.concat(chunks).toString()), known));
      answer.writeHead(given.statusCode ?? 500, { ...own, 'content-length': Buffer.byteLength(body) });
      answer.end(body);
    });
  });
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${NEW} http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
