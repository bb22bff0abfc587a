/**
 * The load generator, a process of its own: takes a plan over IPC, runs it and sends back what it found. Closed loop:
 * a client sends its next request when it has the answer to the last. Next: `client.ts`.
 */
import { percentile } from '../measure/statistics.ts';
import { runClient } from './client.ts';
import { KEY_IN_BODY, type Load, type Plan, type Request } from './plan.ts';

process.once('message', (plan) => {
  void run(plan as Plan).then((load) => process.send?.(load, () => process.disconnect()));
});

/** A request ready to send but for its idempotency key. */
interface Prepared {
  readonly head: string;
  readonly tail: string;
  readonly keyInBody: boolean;
}

function prepared({ method, path, key, body, contentType }: Request, keyed: boolean): Prepared {
  let head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n`;
  if (body !== null) {
    head += `Content-Type: ${contentType ?? 'application/x-www-form-urlencoded'}\r\nContent-Length: ${body.length}\r\n`;
  }
  if (keyed && method === 'POST') head += 'Idempotency-Key: ';
  else head = head.slice(0, -2);
  return { head, tail: `\r\n\r\n${body ?? ''}`, keyInBody: body?.includes(KEY_IN_BODY) === true };
}

async function run(plan: Plan): Promise<Load> {
  const { clients, keyPrefix, total } = plan;
  const requests = plan.requests.map((request) => prepared(request, keyPrefix !== null));
  const success = plan.requests[0]?.success ?? 200;
  const latencies: number[] = [];
  let sent = 0;
  let answers = 0;
  let failures = 0;
  let firstFailure: string | null = null;
  const startedAt = performance.now();
  const fromAt = startedAt + plan.warmupMs;
  const untilAt = total === null ? fromAt + plan.measureMs : Number.POSITIVE_INFINITY;
  const fail = (reason: string) => {
    failures += 1;
    firstFailure ??= reason.slice(0, 500);
  };
  const handlers = {
    next() {
      if (failures > clients || (total === null ? performance.now() >= untilAt : sent >= total)) return null;
      const { head, tail, keyInBody } = requests[sent % requests.length] as Prepared;
      sent += 1;
      if (!head.endsWith(': ')) return head + tail;
      const key = `${keyPrefix}${sent}`;
      return head + key + (keyInBody ? tail.replace(KEY_IN_BODY, key.padEnd(KEY_IN_BODY.length, '.')) : tail);
    },
    answered(status: number, ms: number, body: () => string) {
      if (status !== success) return fail(`${status} ${body()}`);
      answers += 1;
      const now = performance.now();
      if (now >= fromAt && now < untilAt) latencies.push(ms);
    },
    broken: fail,
  };
  await Promise.all(Array.from({ length: clients }, () => runClient(plan.port, handlers)));
  const measuredMs = (total === null ? untilAt : performance.now()) - fromAt;
  const sorted = Float64Array.from(latencies).sort();
  return {
    answers,
    measured: sorted.length,
    measuredMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
    failures,
    firstFailure,
  };
}
