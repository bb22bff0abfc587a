/** The parameter `headers` of webhook endpoints: which names and values a delivery may carry. Messages never hold a value. */
import { UNSET_ALL } from '../../core/metadata.ts';
import { quoted } from '../../core/values/money.ts';
import {
  emptyObject,
  given,
  isNone,
  isObject,
  NumberText,
  type Param,
  param,
  paramError,
  type Tree,
} from '../../platform/http/request/param.ts';
import { MASK, MAX_HEADERS } from './headers.ts';

const NAME_MAX_CHARACTERS = 100;
const VALUE_MAX_CHARACTERS = 1_000;
/** So that ten headers can be replaced by ten others in one request. */
const NAMES_MAX = 2 * MAX_HEADERS;

/** Source: RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VISIBLE_ASCII = /^[!-~](?:[\t -~]*[!-~])?$/;
const NOT_IN_VALUES = /[^\t -~]/u;

/** Set by HTTP, by us, or by what stands between; a second one would break the delivery or its signature. */
const RESERVED: ReadonlySet<string> = new Set(
  'connection content-encoding content-length content-type expect host http2-settings keep-alive te trailer transfer-encoding upgrade user-agent'.split(
    ' ',
  ),
);
const RESERVED_PREFIXES = ['bursar-', 'proxy-', 'sec-', 'webhook-'];
const RESERVED_IN_WORDS = `Not allowed are ${[...RESERVED].join(', ')}, and names that begin with ${RESERVED_PREFIXES.join(', ')}.`;

const invalidAt = (path: string, message: string) => paramError('parameter_invalid', path, message);

/** By name, in the order given; an empty value unsets its header, `UNSET_ALL` all. */
export const headers: Param<Readonly<Record<string, string>>> = {
  ...param(
    {
      description: `Headers that every delivery carries beside ours, such as \`Authorization\`; up to ${MAX_HEADERS}. Values are secrets: they are stored sealed and shown as \`${MASK}\`. An empty value or null unsets its header; null (form: \`headers=\`) unsets all.`,
      example: { Authorization: 'Bearer 3f9a2c' },
    },
    {
      type: ['object', 'null'],
      maxProperties: NAMES_MAX,
      propertyNames: { minLength: 1, maxLength: NAME_MAX_CHARACTERS, pattern: TOKEN.source },
      additionalProperties: { type: ['string', 'null'], maxLength: VALUE_MAX_CHARACTERS },
    },
    (value, path, notation) => {
      if (isNone(value, notation)) return UNSET_ALL;
      if (!isObject(value)) {
        const wanted = `an object of names and values (form: ${path}[Authorization]=value)`;
        throw invalidAt(path, `${path} must be ${wanted}, got ${kindOf(value)}.`);
      }
      const names = Object.keys(value);
      if (names.length > NAMES_MAX) {
        throw invalidAt(path, `${path} takes at most ${NAMES_MAX} names in one request, got ${names.length}.`);
      }
      const kept = emptyObject<string>();
      const seen = new Set<string>();
      for (const name of names) {
        const at = nameIn(name, path);
        if (seen.has(name.toLowerCase())) {
          throw paramError('parameter_repeated', at, `${at} was sent more than once: case makes no other name.`);
        }
        seen.add(name.toLowerCase());
        kept[name] = valueAt(at, value[name] as Tree);
      }
      return kept;
    },
    ['parameter_repeated'],
  ),
  clearable: true,
  nullable: true,
};

/** The path of a header whose name is allowed. */
function nameIn(name: string, path: string): string {
  if (name.length > NAME_MAX_CHARACTERS) {
    const message = `The header name ${quoted(name)} has ${name.length} characters; at most ${NAME_MAX_CHARACTERS} are allowed.`;
    throw invalidAt(path, message);
  }
  if (!TOKEN.test(name)) {
    const message = `${quoted(name)} cannot be a header name. Names are letters, digits and !#$%&'*+-.^_\`|~ without blanks.`;
    throw invalidAt(path, message);
  }
  const at = `${path}[${name}]`;
  const lower = name.toLowerCase();
  if (!RESERVED.has(lower) && !RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) return at;
  throw invalidAt(at, `${at} cannot be set: Bursar or HTTP sets it. ${RESERVED_IN_WORDS}`);
}

function valueAt(at: string, value: Tree): string {
  if (value === null || value === '') return '';
  if (typeof value !== 'string') throw invalidAt(at, `${at} must be a text, got ${kindOf(value)}.`);
  if (value === MASK) {
    const message = `${at} is masked: answers never show the value. Send the whole of it, or leave the header out to keep it.`;
    throw invalidAt(at, message);
  }
  if (value.length > VALUE_MAX_CHARACTERS) {
    const message = `${at} has ${value.length} characters; at most ${VALUE_MAX_CHARACTERS} are allowed.`;
    throw invalidAt(at, message);
  }
  if (VISIBLE_ASCII.test(value)) return value;
  const index = value.search(NOT_IN_VALUES);
  const allowed = 'Values are visible ASCII, with blanks and tabs inside only.';
  if (index === -1) throw invalidAt(at, `${at} begins or ends with a blank or a tab. ${allowed}`);
  const code = (value.codePointAt(index) as number).toString(16).toUpperCase().padStart(4, '0');
  throw invalidAt(at, `${at} has the character U+${code} at place ${index + 1}. ${allowed}`);
}

/** What kind of value it is, because the value may be a secret. */
const kindOf = (value: Tree): string =>
  typeof value === 'string' ? 'a text' : value instanceof NumberText ? 'a number' : given(value);
