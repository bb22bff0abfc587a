/** Pictures of the codes that banking apps read. What they say: `core/rails/banking-code.ts`; on pages: `collecting/checkout/html/account.ts`. */
import { crc32, deflateSync } from 'node:zlib';
import QRCode from 'qrcode';
import { type BankingCode, crossOf } from '../../core/rails/banking-code.ts';
import { swissCross } from '../../core/rails/qr-bill.ts';

/** Modules of white around the code, by ISO 18004. */
const QUIET = 4;
/** Pixels of a module. */
const SCALE = 8;

export async function svgOf({ payload, hasCross }: BankingCode): Promise<string> {
  const options = { errorCorrectionLevel: 'M', margin: QUIET, type: 'svg' } as const;
  const svg = await QRCode.toString(segmentsOf(payload), options);
  if (!hasCross) return svg;
  const cross = crossOf(matrixOf(payload).size, QUIET).map(({ fill, d }) => `<path fill="${fill}" d="${d}"/>`);
  return svg.replace('</svg>', `${cross.join('')}</svg>`);
}

/** In greys of eight bits (PNG, W3C Recommendation of 2003). */
export function pngOf({ payload, hasCross }: BankingCode): Buffer {
  const { size, data } = matrixOf(payload);
  const side = (size + 2 * QUIET) * SCALE;
  const cross = hasCross ? swissCross(size) : [];
  const isDark = (x: number, y: number): boolean => {
    const over = cross.findLast((each) => isWithin(x - each.x, each.width) && isWithin(y - each.y, each.height));
    if (over !== undefined) return over.isDark;
    return isWithin(x, size) && isWithin(y, size) && data[Math.floor(y) * size + Math.floor(x)] !== 0;
  };
  const rows = Buffer.alloc((side + 1) * side); // each row begins with its filter, none
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const [x, y] = [(column + 0.5) / SCALE - QUIET, (row + 0.5) / SCALE - QUIET];
      rows[row * (side + 1) + 1 + column] = isDark(x, y) ? 0 : 255;
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

const isWithin = (place: number, length: number): boolean => place >= 0 && place < length;

function chunk(name: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(name), content]);
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const segmentsOf = (payload: string) => [{ data: Buffer.from(payload), mode: 'byte' } as const];
const matrixOf = (payload: string) => QRCode.create(segmentsOf(payload), { errorCorrectionLevel: 'M' }).modules;
