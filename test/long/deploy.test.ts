/** A statement file of the largest size through nginx and Caddy as they are shipped, to a real server. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/iso20022/read/limits.ts';
import { ask, caddy, nginx, Proxies } from '../support/deploy/proxies.ts';
import { type Application, startApplication } from '../support/harness/application.ts';

const PIECE = Buffer.alloc(1_048_576, 'x');
const PIECES = LIMITS.maxBytes / PIECE.length;

const proxies = new Proxies();
let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(async () => {
  await proxies.stop();
  await application?.stop();
});

describe.each([
  ['nginx', nginx],
  ['Caddy', caddy],
])('%s', (name, found) => {
  it.skipIf(found === '')('passes all of it, and the answer of Bursar', async () => {
    const own = Number(new URL(application.address).port);
    const port = await (name === 'nginx' ? proxies.startNginx(own) : proxies.startCaddy(own));
    const body = Readable.from(Array.from({ length: PIECES }, () => PIECE));
    const headers = {
      authorization: `Bearer ${application.sandbox.key}`,
      'content-length': String(LIMITS.maxBytes),
    };
    const { status, text } = await ask(port, 'POST', '/v1/statement_files', { headers, body });
    expect([status, JSON.parse(text).error]).toEqual([
      400,
      expect.objectContaining({ code: 'statement_file_invalid' }),
    ]);
  });
});
