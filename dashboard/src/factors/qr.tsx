/** A QR code as one path of an SVG, so that no markup is made from text. Dark on white in both schemes: scanners want it so. */
import { encode } from 'uqr';

interface Props {
  readonly text: string;
  readonly label: string;
}

const QUIET = 3;

export function Qr({ text, label }: Props) {
  const { data, size } = encode(text, { border: QUIET, ecc: 'M' });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} width="184" height="184" role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
