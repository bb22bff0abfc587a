/** The QR code of an account, read by a decoder that shares no code with the one that draws it. */
import fc from 'fast-check';
import jsqr from 'jsqr';
import QRCode from 'qrcode';
import { describe, expect, it, vi } from 'vitest';
import { epcPayload, MAX_PAYLOAD_BYTES } from '../../../core/rails/epc.ts';
import { readQr } from '../../../../test/support/browser/qr.ts';
import { bankingCode, type BankingCode } from '../../../core/rails/banking-code.ts';
import { pngOf } from '../../payments/code-picture.ts';
import { qrSvg } from './account.ts';

const SCALE = 3;
const QUIET = 4;

/** Black modules, from the strokes of the SVG: `M x y.5`, `m dx 0`, `h length`. */
function modulesOf(svg: string): { readonly side: number; readonly black: ReadonlySet<string> } {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const path = /<path stroke="#000"[^>]* d="([^"]+)"/.exec(svg)?.[1] ?? '';
  const black = new Set<string>();
  let [x, y] = [0, 0];
  for (const [, absolute, row, relative, run] of path.matchAll(/M(\d+) (\d+)\.5|m(\d+) 0|h(\d+)/g)) {
    if (absolute !== undefined) [x, y] = [Number(absolute), Number(row)];
    if (relative !== undefined) x += Number(relative);
    for (let i = 0; i < Number(run ?? 0); i++) black.add(`${x++} ${y}`);
  }
  return { side, black };
}

function decode(svg: string): Uint8Array | null {
  const { side, black } = modulesOf(svg);
  const width = side * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) {
      if (!black.has(`${Math.floor(column / SCALE)} ${Math.floor(row / SCALE)}`)) continue;
      pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
  const code = jsqr.default(pixels, width, width);
  return code === null ? null : Uint8Array.from(code.binaryData);
}

const plain = (payload: string) => ({ payload, hasCross: false });
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text));
const versionOf = (svg: string) => (modulesOf(svg).side - 2 * QUIET - 17) / 4;

describe('qrSvg', () => {
  const transfer = {
    accountHolder: 'Müller & Söhne 🏦',
    iban: 'DE89370400440532013000',
    bic: undefined,
    currency: 'EUR',
  };

  it('holds the transfer, byte for byte', () => {
    const payload = epcPayload({ ...transfer, amount: 1250n, rf: 'RF18539007547034' }) as string;
    expect(decode(qrSvg(plain(payload), 'code').toString())).toEqual(bytesOf(payload));
  });

  it('holds every transfer', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 70 }),
        fc.bigInt(1n, 99_999_999_999n),
        (name, amount) => {
          const payload = epcPayload({
            ...transfer,
            accountHolder: `x${name}`,
            amount,
            rf: 'RF18539007547034',
          }) as string;
          expect(decode(qrSvg(plain(payload), 'code').toString())).toEqual(bytesOf(payload));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('holds a Swiss QR code, which the cross in its middle does not hide', () => {
    const address = { line1: 'Bundesplatz 3', postal_code: '3003', city: 'Bern', country: 'CH' };
    const account = { account_holder: 'Müller & Söhne', iban: 'CH9300762011623852957', ...address };
    const code = bankingCode(account, { currency: 'CHF', amount: 1250n, rf: 'RF18539007547034' });
    expect(code).toMatchObject({ payload: expect.stringMatching(/^SPC\n0200\n1\nCH93/), hasCross: true });
    const svg = qrSvg(code as BankingCode, 'code').toString();
    const paths = [...svg.matchAll(/<path fill="(#\w+)" d="M([\d.]+) [\d.]+h([\d.]+)v/g)].map((found) =>
      found.slice(1),
    );
    const [, ...cross] = paths;
    expect(cross.map(([fill]) => fill)).toEqual(['#fff', '#000', '#fff', '#fff']);
    const { side } = modulesOf(svg);
    const [, left, width] = cross[0] as string[];
    expect(Number(left) + Number(width) / 2).toBeCloseTo(side / 2, 2);
    // As a camera sees it, white and black squares over the modules.
    expect(readQr(pngOf(code as BankingCode)).text).toBe(code?.payload);
  });

  it('is version 13 at the most, which the longest payload just fills', () => {
    expect(versionOf(qrSvg(plain('x'.repeat(MAX_PAYLOAD_BYTES)), 'code').toString())).toBe(13);
    expect(versionOf(qrSvg(plain('x'.repeat(MAX_PAYLOAD_BYTES + 1)), 'code').toString())).toBe(14);
    expect(decode(qrSvg(plain('x'.repeat(MAX_PAYLOAD_BYTES)), 'code').toString())).toEqual(
      bytesOf('x'.repeat(MAX_PAYLOAD_BYTES)),
    );
  });

  it('says that its level is M: the format bits beside the finder', () => {
    const { black } = modulesOf(qrSvg(plain('level'), 'code').toString());
    // ISO 18004: the first two of fifteen bits, masked with 10…; M is 00.
    const bit = (column: number) => (black.has(`${column + QUIET} ${8 + QUIET}`) ? 1 : 0);
    expect([bit(0), bit(1)]).toEqual([1, 0]);
  });

  it('has four modules of white around it', () => {
    const { side, black } = modulesOf(qrSvg(plain('quiet'), 'code').toString());
    for (const module of black) {
      for (const place of module.split(' ').map(Number)) {
        expect(place).toBeGreaterThanOrEqual(QUIET);
        expect(place).toBeLessThan(side - QUIET);
      }
    }
  });

  it('has a label of its own each time, though the picture is kept', () => {
    const [one, other] = ['one', 'other "<'].map((label) => qrSvg(plain('same'), label).toString()) as [string, string];
    expect(one).toContain('aria-label="one"');
    expect(other).toContain('aria-label="other &quot;&lt;"');
    expect(modulesOf(one)).toEqual(modulesOf(other));
  });

  it('keeps the 500 pictures that were used last', () => {
    const drawn = vi.spyOn(QRCode, 'create');
    const draws = (payload: string) => {
      const before = drawn.mock.calls.length;
      qrSvg(plain(payload), 'code');
      return drawn.mock.calls.length - before;
    };
    expect([draws('kept 0'), draws('kept 1'), draws('kept 0'), draws('kept 1')]).toEqual([1, 1, 0, 0]);
    for (let i = 2; i < 500; i++) expect(draws(`kept ${i}`)).toBe(1);
    expect(draws('kept 0')).toBe(0);
    // Now the next one to go is number 1.
    expect(draws('kept 500')).toBe(1);
    expect([draws('kept 0'), draws('kept 499'), draws('kept 1')]).toEqual([0, 0, 1]);
    expect(decode(qrSvg(plain('kept 0'), 'code').toString())).toEqual(bytesOf('kept 0'));
    drawn.mockRestore();
  });
});
