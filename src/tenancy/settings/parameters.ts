/** The parameters of requests about settings. Answers: `schema.ts`. */
import { invalid, param } from '../../platform/http/request/param.ts';
import {
  boolean,
  integer,
  metadata,
  optionalParams,
  type Param,
  paramError,
  text,
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
    { description: 'A PNG or JPEG of at most 64 kB, in base64. An empty value removes it.' },
    { type: 'string', maxLength: LOGO_MAX_CHARACTERS },
    (value, path) => {
      if (value === '') return value;
      const refuse = (why: string) => paramError('logo_invalid', path, `${path} ${why}`);
      if (typeof value !== 'string') throw invalid(path, value, 'base64 text');
      if (value.length > LOGO_MAX_CHARACTERS) throw refuse(`is larger than ${LOGO_MAX_BYTES / 1024} kB.`);
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value) || value.length % 4 !== 0) throw refuse('must be base64, padded.');
      if (logoType(Buffer.from(value, 'base64')) === null) throw refuse('must be a PNG or JPEG picture.');
      return value;
    },
  ),
  clearable: true,
};

export const updateSettingsParams = optionalParams({
  name: text({
    kind: 'name',
    max: 70,
    clearable: true,
    description: 'Name shown to payers. An empty value unsets it.',
  }),
  logo,
  accent_color: text({
    kind: 'code',
    max: 7,
    pattern: /^#[0-9a-fA-F]{6}$/,
    shape: 'a colour such as #0a7c53',
    clearable: true,
    description: 'Colour of buttons, as #rrggbb. An empty value unsets it.',
    example: '#0a7c53',
  }),
  payment_reminder_days: integer({
    description:
      'A payment that still waits for money after so many days causes `payment.reminder_due`. It counts for payments started from now on. 0: never.',
    min: 0,
    max: 13,
    example: 3,
  }),
  daily_statements: boolean({
    description:
      'Whether each day has a statement and the event `daily_statement.created` once it has ended (UTC, by the clock of the environment). It begins with the day of the change. Off by default.',
  }),
  metadata: metadata(),
});
