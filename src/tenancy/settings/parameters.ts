/** The parameters of requests about settings. Answers: `schema.ts`. */
import { parseUrl } from '../../core/values/url.ts';
import { addressParam } from '../../platform/http/request/address.ts';
import { invalid, param } from '../../platform/http/request/param.ts';
import {
  boolean,
  changesParams,
  email,
  integer,
  metadata,
  type Param,
  paramError,
  text,
  unsettable,
  url,
} from '../../platform/http/request/params.ts';

/** Bytes of the picture, before base64. */
export const LOGO_MAX_BYTES = 65_536;
const LOGO_MAX_CHARACTERS = Math.ceil(LOGO_MAX_BYTES / 3) * 4;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

export function logoType(bytes: Buffer): 'image/png' | 'image/jpeg' | null {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : null;
}

/** PNG and JPEG only: an SVG can hold a script. */
const logo: Param<string> = {
  ...param(
    { description: 'A PNG or JPEG of at most 64 kB, in base64. An empty value or null removes it.' },
    { type: 'string', maxLength: LOGO_MAX_CHARACTERS },
    (value, path) => {
      if (value === '') return value;
      const refuse = (why: string) => paramError('logo_invalid', path, `${path} ${why}`);
      if (typeof value !== 'string') throw invalid(path, value, 'base64 text');
      if (value.length > LOGO_MAX_CHARACTERS) throw refuse(`is larger than ${LOGO_MAX_BYTES / 1024} kB.`);
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value) || value.length % 4 !== 0) throw refuse('must be base64, padded.');
      if (logoType(Buffer.from(value, 'base64')) === null) throw refuse('must be a PNG or JPEG picture, in base64.');
      return value;
    },
  ),
  clearable: true,
};

const PAGE_MAX = 2_048;

/** The address of a page that payers are led to. */
function page(description: string, example: string): Param<string> {
  const inner = url({
    description: `${description} An empty value or null unsets it.`,
    example,
    max: PAGE_MAX,
    clearable: true,
  });
  const parse: typeof inner.parse = (value, path, notation) => {
    const given = inner.parse(value, path, notation);
    const parsed = given === '' ? null : parseUrl(given);
    if (given === '' || (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === ''))
      return given;
    throw invalid(path, value, 'an address that begins with https://, without user name and password');
  };
  return { ...inner, parse };
}

export const updateSettingsParams = changesParams({
  name: text({
    kind: 'name',
    max: 70,
    clearable: true,
    description: 'Name shown to payers. An empty value or null unsets it.',
  }),
  logo,
  accent_color: text({
    kind: 'code',
    max: 7,
    pattern: /^#[0-9a-fA-F]{6}$/,
    shape: 'a colour such as #0a7c53',
    clearable: true,
    description: 'Colour of buttons, as #rrggbb. An empty value or null unsets it.',
    example: '#0a7c53',
  }),
  contact_email: email({
    clearable: true,
    description: 'Where payers write to. An empty value or null unsets it.',
    example: 'billing@shop.example',
  }),
  contact_phone: text({
    kind: 'code',
    max: 40,
    pattern: /^\+?[0-9][0-9 ()./-]{2,}$/,
    shape: 'a phone number such as +49 30 901820',
    clearable: true,
    description: 'Where payers call. An empty value or null unsets it.',
    example: '+49 30 901820',
  }),
  address: unsettable(addressParam()),
  legal_url: page('The company’s legal notice, https.', 'https://shop.example/legal'),
  privacy_url: page('How the company handles data of payers, https.', 'https://shop.example/privacy'),
  payment_reminder_days: unsettable(
    integer({
      description:
        'A payment that still waits for money after so many days causes `payment.reminder_due`. It counts for payments started from now on. 0 or null: never.',
      min: 0,
      max: 13,
      example: 3,
    }),
  ),
  daily_statements: boolean({
    description:
      'Whether each day has a statement and the event `daily_statement.created` once it has ended (UTC, by the clock of the environment). It begins with the day of the change. Off by default.',
  }),
  metadata: metadata(),
});
