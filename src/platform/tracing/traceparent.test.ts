/** Which headers are a trace context, by the examples and rules of the W3C recommendation. */
import { expect, it } from 'vitest';
import { traceparentIn } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

it.each([
  ['as it is', `00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  ['not sampled', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  ['flags of later versions are not passed on', `00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-01`],
  ['a later version, by what is known of it', `cc-${TRACE}-${SPAN}-01-what-comes`, `00-${TRACE}-${SPAN}-01`],
])('%s', (_, header, wanted) => expect(traceparentIn(header)).toBe(wanted));

it.each([
  ['none', undefined],
  ['sent twice', [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
  ['sent twice, as Node joins them', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ['empty', ''],
  ['large letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
  ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
  ['too short', `00-${TRACE}-${SPAN.slice(1)}-01`],
  ['no end', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(600)}`],
  ['a line break', `00-${TRACE}-${SPAN}-01\nx: y`],
])('counts as missing: %s', (_, header) => expect(traceparentIn(header)).toBe(null));
