/**
 * The logo of an environment, as far as a document can show it. A picture of 64 kB can say that it has a billion pixels, so its size is read
 * before anything unfolds it; one that cannot be shown is left out, as on a payment page.
 */
import { inflateSync } from 'node:zlib';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
/** Pixels of a side. A logo is printed an inch or two wide. */
const MOST_PIXELS = 2_048;

/** The bytes of a picture that can be laid out; `null`: there is none. */
export function logoBytes(base64: string | null): Buffer | null {
  if (base64 === null) return null;
  const bytes = Buffer.from(base64, 'base64');
  const isPng = bytes.subarray(0, PNG.length).equals(PNG);
  const size = isPng ? sizeOfPng(bytes) : sizeOfJpeg(bytes);
  if (size === null || !size.every((side) => side > 0 && side <= MOST_PIXELS)) return null;
  return isPng && !hasPixels(bytes, size) ? null : bytes;
}

type Size = readonly [width: number, height: number];

const sizeOfPng = (bytes: Buffer): Size | null =>
  bytes.length < 33 ? null : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

/** Samples of a pixel by the colour type of a PNG. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Whether the pixels of a PNG are whole. What lays it out unfolds them later, where a fault would end the document. An interlaced
 * one has a few more bytes than are asked for here.
 */
function hasPixels(bytes: Buffer, [width, height]: Size): boolean {
  const samples = SAMPLES[bytes[25] as number];
  if (samples === undefined) return false;
  const wanted = height * (1 + Math.ceil((width * samples * (bytes[24] as number)) / 8));
  try {
    return inflateSync(Buffer.concat([...pixelChunks(bytes)]), { maxOutputLength: wanted * 2 }).length >= wanted;
  } catch {
    return false;
  }
}

function* pixelChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = PNG.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') yield bytes.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
}

/** From the first frame header (SOF): `ff c0` to `ff cf`, but for tables, extensions and arithmetic coding. */
function sizeOfJpeg(bytes: Buffer): Size | null {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] as number;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
