/** Bars by day: out is full, in is an outline, so that no colour says it alone. Beneath stands the same as a table. */
import { useElementSize } from '@mantine/hooks';
import type { SummaryDay } from '../../api/shapes.ts';
import { decimalsIn, digitsOf } from '../../ui/digits.ts';
import { dayOfMonth, dayText } from '../../ui/instants.ts';
import classes from './overview.module.css';
import { linesOf, shortAmount } from './scale.ts';

const HEIGHT = 200;
const TOP = 12;
const FLOOR = 20;
const RIGHT = 44;

interface Props {
  readonly days: readonly SummaryDay[];
  readonly currency: string;
}

export function Bars({ days, currency }: Props) {
  const { ref, width } = useElementSize();
  const most = Math.max(...days.map(({ in_minor, out_minor }) => Math.max(in_minor, out_minor)), 0);
  const lines = linesOf(most);
  const top = lines.at(-1) ?? 1;
  const bottom = HEIGHT - FLOOR;
  const y = (minor: number) => bottom - (minor / top) * (bottom - TOP);
  const slot = Math.max((width - RIGHT) / Math.max(days.length, 1), 1);
  const bar = Math.max(slot * 0.36, 1);
  const nowMs = Date.parse(days.at(-1)?.day ?? '');
  const labelEvery = Math.max(1, Math.ceil(58 / slot));
  return (
    <div ref={ref} className={classes['bars']}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Out and in by day, ${currency}. The figures are in the table beneath.`}
      >
        {lines.map((line) => (
          <g key={line}>
            <line x1={0} x2={width - RIGHT} y1={y(line)} y2={y(line)} className={classes['line']} />
            <text x={width - RIGHT + 6} y={y(line) + 4}>
              {shortAmount(line / 10 ** decimalsIn(currency))}
            </text>
          </g>
        ))}
        <line x1={0} x2={width - RIGHT} y1={bottom} y2={bottom} className={classes['floor']} />
        {days.map((day, at) => {
          const x = at * slot + slot / 2;
          return (
            <g key={day.day} className={classes['day']}>
              <rect x={at * slot} y={0} width={slot} height={bottom} className={classes['hover']} />
              {day.out_minor > 0 && (
                <Bar x={x - bar - 0.5} y={y(day.out_minor)} width={bar} floor={bottom} kind="out" />
              )}
              {day.in_minor > 0 && <Bar x={x + 0.5} y={y(day.in_minor)} width={bar} floor={bottom} kind="in" />}
              {at % labelEvery === 0 && x + 24 < width - RIGHT && (
                <text x={Math.max(at * slot, 0)} y={HEIGHT - 4}>
                  {dayOfMonth(day.day)}
                </text>
              )}
              <title>{wordsOf(day, currency, nowMs)}</title>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface BarProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly floor: number;
  readonly kind: 'in' | 'out';
}

function Bar({ x, y, width, floor, kind }: BarProps) {
  const height = Math.max(floor - y, 1.5);
  return (
    <rect
      x={x}
      y={floor - height}
      width={width}
      height={height}
      rx={Math.min(2, width / 3)}
      className={classes[kind]}
    />
  );
}

function wordsOf(
  { day, out_minor, out_count, in_minor, in_count }: SummaryDay,
  currency: string,
  nowMs: number,
): string {
  const out = out_count > 0 ? `out ${digitsOf(out_minor, currency)} ${currency} in ${out_count}` : '';
  const into = in_count > 0 ? `in ${digitsOf(in_minor, currency)} ${currency} in ${in_count}` : '';
  const both = [out, into].filter((each) => each !== '').join(', ');
  return `${dayText(day, nowMs)}: ${both === '' ? 'nothing' : both}`;
}
