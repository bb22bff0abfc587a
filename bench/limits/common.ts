/**
 * What the limits share with the product, so that a ratio compares like with like: the key's hash looked up in a map,
 * the form parsed, the same headers, and one line in the log for every answer. Nothing else of Bursar is used.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'node:querystring';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import pino from 'pino';

/** Written by the benchmark, read by a limit at its start. */
export interface LimitConfig {
  readonly keys: readonly { readonly key: string; readonly environmentId: string }[];
  /** Answers of the product, to be sent with another id; by method and path. */
  readonly answers: Readonly<Record<string, string>>;
  /** An account as events hold it. */
  readonly account: string;
  readonly databaseUrl: string | null;
}

export const CONFIG_VARIABLE = 'BENCH_LIMIT_CONFIG';

export type Form = Readonly<Record<string, string | undefined>>;

export interface Limit {
  readonly app: FastifyInstance;
  readonly config: LimitConfig;
  /** The environment of the key, or `undefined` for none: then 401 has been sent. */
  environmentOf(request: FastifyRequest, reply: FastifyReply): string | undefined;
  answer(request: FastifyRequest, reply: FastifyReply, body: string): void;
  listen(): Promise<void>;
}

export function limit(): Limit {
  const config = JSON.parse(readFileSync(process.env[CONFIG_VARIABLE] ?? '', 'utf8')) as LimitConfig;
  const log = pino({}, pino.destination({ dest: 1, sync: false, minLength: 4096 }));
  const environments = new Map(
    config.keys.map(({ key, environmentId }) => [hash('sha256', key, 'base64'), environmentId]),
  );
  const app = fastify({ logger: false });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, parse(body as string)),
  );
  app.get('/readyz', (_request, reply) => reply.send('{"status":"ok"}'));
  const limit: Limit = {
    app,
    config,
    environmentOf(request, reply) {
      const key = request.headers.authorization?.slice('Bearer '.length) ?? '';
      const environmentId = environments.get(hash('sha256', key, 'base64'));
      if (environmentId === undefined) reply.code(401).send('{"error":{"code":"api_key_invalid"}}');
      return environmentId;
    },
    answer(request, reply, body) {
      reply.header('Request-Id', request.id);
      reply.header('Cache-Control', 'no-store');
      reply.header('X-Content-Type-Options', 'nosniff');
      reply.header('Content-Type', 'application/json; charset=utf-8');
      reply.send(body);
      const { method, id } = request;
      log.info({
        request_id: id,
        method,
        route: request.routeOptions.url,
        status: 200,
        ms: reply.elapsedTime,
        key_id: '',
      });
    },
    async listen() {
      await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
    },
  };
  process.once('SIGTERM', () => process.exit(0));
  return limit;
}
