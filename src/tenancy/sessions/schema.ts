/** What the operations of sessions take, as JSON. Answers of authenticators are taken as they are: `passkeys.ts` looks at them. */
import { RequestError } from '../../core/values/errors.ts';
import {
  email,
  list,
  NumberText,
  object,
  optional,
  type Param,
  params,
  text,
  type Tree,
} from '../../platform/http/request/params.ts';
import { CODE_SHAPE } from './codes.ts';
import { PASSWORD_LENGTH } from './passwords.ts';

/** 32 bytes in base64url, as links have them. */
const TOKEN = /^[A-Za-z0-9_-]{20,80}$/;

/** Any characters: blanks and signs at the ends are part of a password, and it is not changed before it is hashed. */
const password = (description: string): Param<string> => {
  const { min, max } = PASSWORD_LENGTH;
  const length = `${min} to ${max} characters`;
  return {
    description: `${description} ${length}.`,
    schema: { type: 'string', minLength: min, maxLength: max },
    codes: [],
    optional: false,
    parse(value, path) {
      if (typeof value === 'string' && [...value].length >= min && [...value].length <= max) return value;
      throw new RequestError('parameter_invalid', `${path} must have ${length}.`, { param: path });
    },
  };
};

/** Of a sign-in: whatever it is, it is compared. */
const anyPassword: Param<string> = {
  ...password('The password.'),
  parse(value, path) {
    if (typeof value === 'string' && value.length > 0 && value.length <= 1_000) return value;
    throw new RequestError('parameter_invalid', `${path} must be a text.`, { param: path });
  },
};

const credential: Param<object> = {
  description: 'What `navigator.credentials` gave, as JSON.',
  schema: { type: 'object' },
  codes: [],
  optional: false,
  parse(value, path) {
    const plain = plainOf(value);
    if (typeof plain === 'object' && plain !== null && !Array.isArray(plain)) return plain;
    throw new RequestError('parameter_invalid', `${path} must be an object.`, { param: path });
  },
};

function plainOf(value: Tree): unknown {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainOf(each as Tree)]));
}

const code = text({
  max: 30,
  kind: 'code',
  pattern: CODE_SHAPE,
  shape: 'six digits, or a recovery code',
  description: 'What the authenticator app shows, or a recovery code.',
});
const named = (description: string) => text({ max: 100, kind: 'name', description });

export const tokenParams = params({
  token: text({
    max: 80,
    kind: 'code',
    pattern: TOKEN,
    shape: 'the part of the link behind =',
    description: 'Of the link.',
  }),
});

export const passwordParams = params({
  email: email({ description: 'Address of the person.' }),
  password: anyPassword,
  ...optional({ code }),
});

export const assertionParams = params({ assertion: credential });
const seen = object(
  {
    id: text({
      max: 40,
      kind: 'code',
      pattern: /^pob?_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
      shape: 'the id of a payout or of a batch',
      description: 'A payout or a batch.',
    }),
    fingerprint: text({ max: 120, kind: 'code', description: 'The fingerprint that it had.' }),
  },
  { description: 'What was on the screen.' },
);
export const askParams = params({
  ...optional({ approves: list(seen, { max: 1_000, description: 'What the passkey is to approve: it signs it.' }) }),
});
export const stepUpParams = params({ ...optional({ assertion: credential, code }) });
export const personParams = params({
  name: named('How the person wants to be called.'),
  ...optional({ email: email({ description: 'Address to sign in with.' }), password: password('A new password.') }),
});
export const passkeyParams = params({ attestation: credential, name: named('What the person calls the passkey.') });
export const codeParams = params({ code });
