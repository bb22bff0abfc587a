/** Metadata: the client's own pairs, limited by contract, section 2. */
import type { JsonSchema } from '../../../core/values/json-schema.ts';
import { UNSET_ALL } from '../../../core/metadata.ts';
import { quoted } from '../../../core/values/money.ts';
import {
  type About,
  emptyObject,
  given,
  invalid,
  isNone,
  isObject,
  type Notation,
  type Param,
  param,
  paramError,
  type Tree,
} from './param.ts';
import { safeText, textCodes } from './text-rules.ts';

export const METADATA_LIMITS = { keys: 50, keyLength: 40, valueLength: 500 };

/** Up to 50 pairs; an empty value or null unsets its key, null (in a form '') all: `UNSET_ALL`. `metadata_invalid`. */
export function metadata(about: Partial<About> = {}): Param<Readonly<Record<string, string>>> {
  const { keys, keyLength, valueLength } = METADATA_LIMITS;
  const description =
    about.description ??
    'Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys.';
  const schema: JsonSchema = {
    title: 'MetadataSent',
    type: ['object', 'null'],
    maxProperties: keys,
    propertyNames: { minLength: 1, maxLength: keyLength, pattern: '^[^\\[\\]]*$' },
    additionalProperties: { type: ['string', 'null'], maxLength: valueLength },
  };
  const parse = (value: Tree, path: string, notation: Notation): Readonly<Record<string, string>> => {
    if (isNone(value, notation)) return UNSET_ALL;
    if (!isObject(value)) throw invalid(path, value, `an object of texts (form: ${path}[key]=value)`);
    const kept = emptyObject<string>();
    let count = 0;
    for (const key in value) {
      count += 1;
      const pair = value[key] ?? '';
      if (typeof pair !== 'string') {
        const at = `${path}[${key.slice(0, keyLength)}]`;
        const message = `Metadata values must be text, got ${given(pair)} for ${quoted(key)}.`;
        throw paramError('metadata_invalid', at, message);
      }
      metadataLength(key, `The key ${quoted(key)}`, keyLength, path);
      if (key === '' || /[[\]]/.test(key)) {
        const message = `${quoted(key)} cannot be a metadata key: empty, or with a bracket.`;
        throw paramError('metadata_invalid', path, message);
      }
      const name = safeText(key, path, keyLength, 'code');
      const at = `${path}[${name}]`;
      metadataLength(pair, `The value of ${quoted(key)}`, valueLength, at);
      if (name in kept) throw paramError('parameter_repeated', at, `${at} was sent more than once.`);
      kept[name] = pair === '' ? '' : safeText(pair, at, valueLength, 'code');
    }
    if (count <= keys) return kept;
    throw paramError('metadata_invalid', path, `Metadata takes at most ${keys} keys, got ${count}.`);
  };
  const codes = ['metadata_invalid', ...textCodes('code')] as const;
  const inner = param({ example: { order: '6735' }, ...about, description }, schema, parse, codes);
  return { ...inner, clearable: true, nullable: true };
}

function metadataLength(value: string, what: string, max: number, path: string): void {
  if (value.length <= max) return;
  const points = Array.from(value.normalize('NFC')).length;
  if (points <= max) return;
  throw paramError('metadata_invalid', path, `${what} has ${points} characters; at most ${max} are allowed.`);
}
