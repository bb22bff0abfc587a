/**
 * Reads a QR code off a picture, as a banking app does: with a decoder that shares nothing with what draws ours. It must
 * never know what is expected of it.
 */
import jsqr from 'jsqr';
import { PNG } from 'pngjs';

export interface ReadQr {
  readonly text: string;
  /** As they stand in the code: its text is in no doubt where an encoding is. */
  readonly bytes: Buffer;
  /** 1 to 40; a side has 17 + 4 × version modules. */
  readonly version: number;
}

/** Of a PNG that shows one code. Throws where there is none to be read. Dark on light alone: that is what apps read. */
export function readQr(png: Buffer): ReadQr {
  const { data, width, height } = PNG.sync.read(png);
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  const found = jsqr.default(pixels, width, height, { inversionAttempts: 'dontInvert' });
  if (found === null) throw new Error(`No QR code can be read off this picture of ${width} × ${height} pixels.`);
  return { text: found.data, bytes: Buffer.from(found.binaryData), version: found.version };
}
