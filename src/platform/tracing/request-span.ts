/** The span of a request with a key: from the whole request to its answer. Only where tracing is on. Pages for payers have none. */
import type { FastifyRequest } from 'fastify';
import { contextOf, failSpan, headerOf, instant, type Span, SpanKind, tracer } from './tracing.ts';
import { traceparentIn } from './traceparent.ts';

export type { Span };

interface Served {
  readonly request: FastifyRequest;
  readonly route: string;
  readonly startedMs: number;
  readonly span: Span | null;
}

/** `null` where tracing is off. */
export function spanOf({ request, route, startedMs }: Served): Span | null {
  if (tracer === null) return null;
  const attributes = { 'http.request.method': request.method, 'http.route': route, 'bursar.request_id': request.id };
  return tracer.startSpan(
    `${request.method} ${route}`,
    { kind: SpanKind.SERVER, startTime: instant(startedMs), attributes },
    contextOf(traceparentIn(request.headers['traceparent'])),
  );
}

/** What the events of the request keep: its own span, or without tracing the header as it came. */
export const traceOf = ({ request, span }: Served): string | null =>
  span === null ? traceparentIn(request.headers['traceparent']) : headerOf(span);

/** `code`: of the refusal. */
export function endSpan(span: Span, status: number, code?: string): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) failSpan(span, code ?? String(status));
  else if (code !== undefined) span.setAttribute('error.type', code);
  span.end(instant(performance.now()));
}
