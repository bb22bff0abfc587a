/**
 * Spans for OpenTelemetry, by its API package alone. They are made only if an SDK was registered before the service was loaded
 * (`node --import`): without one {@link tracer} is `null` for good, and whoever makes spans asks nothing but that. Attributes must never hold
 * a key, an amount, or anything about a person. Why: docs/decisions/0097.
 */
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { VERSION } from '../../core/values/version.ts';
import { traceparent } from './traceparent.ts';

export type { Attributes, Span };
export { SpanKind } from '@opentelemetry/api';

function registered(): Tracer | null {
  // Where nothing is registered, the API has a provider that passes on to nobody. Its copy may be another one than ours.
  const provider = trace.getTracerProvider();
  const { getDelegateTracer } = provider as {
    getDelegateTracer?: (name: string, version: string) => Tracer | undefined;
  };
  if (getDelegateTracer === undefined) return provider.getTracer('bursar', VERSION);
  return getDelegateTracer.call(provider, 'bursar', VERSION) ?? null;
}

/** `null`: off. Known when this module is loaded, and never changes. */
export const tracer = registered();

/** A span under the one that a header names, whether this process has made that one or another; `null`: it begins a trace. */
export function contextOf(header: string | null): Context {
  if (header === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = header.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags), isRemote: true });
}

/** What a request that belongs under the span sends along. */
export function headerOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return traceparent(traceId, spanId, traceFlags);
}

/** More than the clocks drift apart in a moment: then the machine slept, or somebody set its clock. */
const DRIFT_MS = 50;
let offsetMs = performance.timeOrigin;

/** An instant of `performance.now()` as spans take it: milliseconds since 1970, in fractions. */
export function instant(atMs: number): number {
  const now = Date.now() - performance.now();
  if (Math.abs(now - offsetMs) > DRIFT_MS) offsetMs = now;
  return offsetMs + atMs;
}

/** A span that is over. Both instants by `performance.now()`. Call only where {@link tracer} is not `null`. */
export function addSpan(
  name: string,
  under: Context,
  [fromMs, toMs]: readonly [number, number],
  attributes: Attributes,
): void {
  tracer?.startSpan(name, { startTime: instant(fromMs), attributes }, under).end(instant(toMs));
}

/** Ends a span that failed through a fault of ours, or of who was asked. `type`: a code, not a text. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
