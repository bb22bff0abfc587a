/**
 * URLs as parameters: any text that may be stored and is not too long. The code that connects decides which hosts are
 * allowed. Not `text`: a path may hold digits that look like a card number, and is kept unchanged.
 */
import { type About, invalid, type Param, param, paramError, type Tree } from './param.ts';
import { refuseUnsafe } from './text-rules.ts';

/** `parameter_invalid`, `text_invalid`, `text_too_long`; with `clearable`, '' unsets the field. */
export function url(rules: About & { readonly max: number; readonly clearable?: boolean }): Param<string> {
  const { max, clearable = false } = rules;
  const schema = { type: 'string', ...(clearable ? {} : { minLength: 1 }), maxLength: max } as const;
  const parse = (value: Tree, path: string): string => {
    if (typeof value !== 'string' || (value === '' && !clearable)) throw invalid(path, value, 'a URL, as text');
    if (value.length > max) {
      const message = `${path} has ${value.length} characters; at most ${max} are allowed.`;
      throw paramError('text_too_long', path, message);
    }
    refuseUnsafe(value, path);
    return value;
  };
  return { ...param(rules, schema, parse, ['text_invalid', 'text_too_long']), clearable };
}
