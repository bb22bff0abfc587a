/**
 * The parameters of requests about webhooks. Whether a URL may be used says the guard (`routes.ts`). Answers:
 * `schema.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import { EVENT_TYPES, typesMatching } from '../../core/event-types.ts';
import { DELIVERY_STATUSES } from './fields.ts';
import { headers } from './header-parameters.ts';
import { hint } from '../../platform/http/request/hints.ts';
import { given, param as custom, paramError } from '../../platform/http/request/param.ts';
import * as param from '../../platform/http/request/params.ts';
import { versionParam } from '../../platform/http/version/versions.ts';
import { URL_MAX_CHARACTERS } from '../../platform/outbound/guard.ts';

const MAX_PATTERNS = 100;
/** Longer than any type. */
const PATTERN_MAX_CHARACTERS = 60;
const DAY_S = 86_400;

const target = param.url({
  max: URL_MAX_CHARACTERS,
  description: 'Where to send events. `https://`; in the sandbox `http://localhost` as well.',
  example: 'https://hooks.example.com/bursar',
});

const pattern: param.Param<string> = custom(
  { description: 'A type, a family of types such as `payout.*`, or `*` for all.', example: 'payout.*' },
  { type: 'string', minLength: 1, maxLength: PATTERN_MAX_CHARACTERS },
  (value, path) => {
    if (typeof value === 'string' && typesMatching(value).length > 0) return value;
    const message = `${path} must be an event type or a family such as payout.*, got ${given(value)}.${hint(value)}`;
    throw paramError('parameter_invalid', path, message, { allowed: EVENT_TYPES });
  },
);

const enabledEvents = param.list(pattern, { max: MAX_PATTERNS, description: 'Which events to send; all by default.' });
const description = param.text({
  max: 500,
  clearable: true,
  description: 'A text of your own. An empty value or null unsets it.',
});
const version = versionParam('The version of the API in which its events are sent; by default the newest.');
const ordered = param.boolean({
  description:
    'Send one delivery at a time, in order of `sequence`. A delivery that fails delays the later ones for a while.',
});

export const createWebhookEndpointParams = param.params({
  url: target,
  enabled_events: param.withDefault(enabledEvents, ['*']),
  ...param.optional({ description, version }),
  ordered: param.withDefault(ordered, false),
  ...param.optional({ headers, metadata: param.metadata() }),
});

export const updateWebhookEndpointParams = param.changesParams({
  url: target,
  enabled_events: enabledEvents,
  description,
  version,
  ordered,
  headers,
  metadata: param.metadata(),
});

export const rollSecretParams = param.params({
  expires_in: param.withDefault(
    param.integer({
      min: 0,
      max: 7 * DAY_S,
      description: 'For so many seconds, up to seven days, the old secret signs too. 0 ends it at once.',
    }),
    DAY_S,
  ),
});

const replayFields = param.optional({
  event: param.id('evt', { description: 'Only this event, of any type and with any result.' }),
  after_sequence: param.integer({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Only events after this one.' }),
  until_sequence: param.integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Only events up to and with this one.',
  }),
  created: param.instantFilter({ description: 'Only events of this period, in Unix seconds.' }),
  only: param.oneOf(['failed', 'all'], {
    description:
      '`failed`, the default: deliveries that did not succeed, including held and parked ones. `all`: every event that the endpoint asks for; this needs a range.',
  }),
});
export type ReplayBody = param.Parsed<typeof replayFields>;

const replayForm = param.params(replayFields, (body) => {
  const { event, after_sequence: after, until_sequence: until, created, only } = body;
  const sent = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const other = sent.find((name) => name !== 'event');
  if (event !== undefined && other !== undefined) throw excludes('event', other);
  const bound = sent.find((name) => name.endsWith('_sequence'));
  if (created !== undefined && bound !== undefined) throw excludes('created', bound);
  if (after !== undefined && until !== undefined && until < after) {
    throw paramError('parameter_invalid', 'until_sequence', `until_sequence must not be below after_sequence.`);
  }
  if (only === 'all' && created === undefined && bound === undefined) {
    const message = 'only=all needs a range. Send after_sequence=0 for everything that is still kept.';
    throw paramError('parameter_missing', 'after_sequence', message);
  }
});

/**
 * With the default of `only`, so that a retry which names the default is the same request to idempotency. Throws
 * `parameter_conflict` for two ways of naming events, and `parameter_missing` for `only=all` without a range.
 */
export const replayParams: typeof replayForm = {
  ...replayForm,
  parse(tree) {
    const body = replayForm.parse(tree);
    return body.event === undefined ? { ...body, only: body.only ?? 'failed' } : body;
  },
};

function excludes(one: string, other: string): RequestError {
  return paramError('parameter_conflict', other, `${one} and ${other} exclude each other. Send one of them.`);
}

export const resendParams = param.optionalParams({
  webhook_endpoint: param.id('we', { description: 'Only to this endpoint, whatever types it asks for.' }),
});

export const endpointFilters = {
  status: param.oneOf(['enabled', 'disabled'], { description: 'Only in this state.' }),
};
const toEndpoint = param.id('we', { description: 'Only those to this endpoint, which may be a deleted one.' });
export const replayFilters = { webhook_endpoint: toEndpoint };
export const deliveryFilters = {
  webhook_endpoint: toEndpoint,
  status: param.oneOf(DELIVERY_STATUSES, { description: 'Only in this state.' }),
};
