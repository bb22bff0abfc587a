/**
 * QR codes as inline SVG, black on white in every colour scheme, because cameras need that. No I/O. Payload: `core/rails/epc.ts`.
 */
import QRCode from 'qrcode';
import { html, type Html } from './html.ts';

/** Modules of white around the code, by ISO 18004. */
const QUIET = 4;
/** Most pictures cached, about 3 MB. Making one takes about 1.2 ms, and a waiting page is shown again and again. */
const KEPT = 500;
const kept = new Map<string, Picture>();

interface Picture {
  /** Modules a side, with the quiet zone. */
  readonly side: number;
  readonly drawing: Html;
}

/**
 * The picture, with `label` for screen readers. One byte segment at error correction level M, in the smallest version that
 * holds the payload. Throws when none does.
 */
export function qrSvg(payload: string, label: string): Html {
  const { side, drawing } = pictureOf(payload);
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}">${drawing}</svg>`;
}

/** The least recently used picture is dropped first: a `Map` keeps the order in which keys were set. */
function pictureOf(payload: string): Picture {
  const known = kept.get(payload);
  if (known) kept.delete(payload);
  else if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
  const picture = known ?? draw(payload);
  kept.set(payload, picture);
  return picture;
}

/** One stroke a run of black modules, with relative moves: a third of the bytes of a rectangle a module. */
function draw(payload: string): Picture {
  const segment = { data: Buffer.from(payload), mode: 'byte' } as const;
  const { size, data } = QRCode.create([segment], { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  for (let row = 0; row < size; row++) {
    let end = -1;
    for (let column = 0; column < size; column++) {
      if (data[row * size + column] === 0) continue;
      const start = column;
      while (column + 1 < size && data[row * size + column + 1] !== 0) column++;
      path += end < 0 ? `M${start + QUIET} ${row + QUIET}.5` : `m${start - end} 0`;
      end = column + 1;
      path += `h${end - start}`;
    }
  }
  const side = size + 2 * QUIET;
  const background = html`<path fill="#fff" d="M0 0h${side}v${side}H0z"/>`;
  return { side, drawing: html`${background}<path stroke="#000" shape-rendering="crispEdges" d="${path}"/>` };
}
