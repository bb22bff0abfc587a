/** A picture of a person's machine, as `POST /v1/settings` takes a logo: base64 of a PNG or JPEG of at most 64 kB. */

export const LOGO_TYPES = 'image/png,image/jpeg';
const MAX_BYTES = 65_536;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

export interface Logo {
  readonly base64: string;
  /** For an image: `data:image/png;base64,…`. */
  readonly address: string;
}

const beginsWith = (bytes: Uint8Array, beginning: readonly number[]) =>
  beginning.every((byte, at) => bytes[at] === byte);

/** By its first bytes, whatever the file is called. A sentence for the person, where it cannot be a logo. */
export function logoOf(bytes: Uint8Array): Logo | string {
  const type = beginsWith(bytes, PNG) ? 'png' : beginsWith(bytes, JPEG) ? 'jpeg' : null;
  if (type === null) return 'A logo is a PNG or JPEG picture. This file is neither.';
  if (bytes.length > MAX_BYTES)
    return `A logo has at most 64 kB. This file has ${Math.ceil(bytes.length / 1024)} kB: make the picture smaller.`;
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return { base64, address: `data:image/${type};base64,${base64}` };
}
