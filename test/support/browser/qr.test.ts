import { PNG } from 'pngjs';
import { toBuffer } from 'qrcode';
import { describe, expect, it } from 'vitest';
import { readQr } from './qr.ts';

/** Draws over the middle of a picture: more than the code can mend when `share` is large. */
function smudged(png: Buffer, share: number): Buffer {
  const picture = PNG.sync.read(png);
  const { width, height, data } = picture;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isMiddle = Math.abs(x / width - 0.5) < share / 2 && Math.abs(y / height - 0.5) < share / 2;
      if (isMiddle) data.fill(255, (y * width + x) * 4, (y * width + x) * 4 + 4);
    }
  }
  return PNG.sync.write(picture);
}

describe('a QR code read off a picture', () => {
  const payload = 'BCD\n002\n1\nSCT\n\nMüller & Söhne €\nDE89370400440532013000\nEUR12.50\n\nRF18539007547034';
  const drawn = (text: string, dark = '#000000', light = '#ffffff') =>
    toBuffer(text, { errorCorrectionLevel: 'M', scale: 4, color: { dark, light } });

  it('is what was drawn, byte for byte', async () => {
    const read = readQr(await drawn(payload));
    expect(read.bytes).toEqual(Buffer.from(payload));
    expect(read.text).toBe(payload);
    expect(read.version).toBeLessThanOrEqual(13);
  });
  it('differs where what was drawn differs by one character', async () => {
    const read = readQr(await drawn(payload.replace('12.50', '12.51')));
    expect(read.bytes).not.toEqual(Buffer.from(payload));
    expect(read.text).toContain('EUR12.51');
  });
  it('is mended where little is missing, and refused where much is', async () => {
    const png = await drawn(payload);
    expect(readQr(smudged(png, 0.1)).text).toBe(payload);
    expect(() => readQr(smudged(png, 0.6))).toThrow('No QR code can be read');
  });
  it('is refused light on dark, as banking apps do', async () => {
    const inverted = await drawn(payload, '#ffffff', '#000000');
    expect(() => readQr(inverted)).toThrow('No QR code can be read');
  });
});
