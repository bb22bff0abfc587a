/** The span of one attempt to deliver an event, under the request that caused the event. Only where tracing is on. */
import { contextOf, failSpan, headerOf, type Span, SpanKind, tracer } from '../../platform/tracing/tracing.ts';
import type { ClaimedDelivery } from './delivery.ts';
import type { Attempt } from './send.ts';

/** Begins now; `null`: tracing is off. The address of the receiver is left out, because it may hold a secret. */
export function beginSpan({ eventId, endpointId, failures, trace }: ClaimedDelivery): Span | null {
  if (tracer === null) return null;
  const attributes = {
    'http.request.method': 'POST',
    'http.request.resend_count': failures,
    'bursar.event_id': eventId,
    'bursar.endpoint_id': endpointId,
  };
  return tracer.startSpan('delivery', { kind: SpanKind.CLIENT, attributes }, contextOf(trace));
}

/** What the attempt sends along: its own span, or without tracing the trace of the request as it came. `null`: nothing. */
export const traceparentOf = ({ trace }: ClaimedDelivery, span: Span | null): string | null =>
  span === null ? trace : headerOf(span);

/** Ends now. An attempt that the receiver did not take is an error, by its outcome in the list of deliveries. */
export function endSpan(span: Span, { outcome, httpStatus }: Attempt): void {
  if (httpStatus !== null) span.setAttribute('http.response.status_code', httpStatus);
  if (outcome !== 'succeeded') failSpan(span, outcome);
  span.end();
}
