/**
 * MT940 and MT942 for tests, from a few fields, and what somebody made of them: lines moved, doubled, taken out and filled with something else,
 * bytes flipped and cut off. The same seed breaks them in the same way. Next: `fuzz.ts`.
 */
import type { Chance } from '../generators/seeded.ts';
import { broken, type BrokenFile, type Mutation } from './mutations.ts';

const HEADING = [':20:STARTUMS', ':25:37040044/532013000', ':28C:00012/001', ':60F:C261125EUR1000,00'];

/** As portals give it. */
export const bareMessage = (...fields: readonly string[]): string => `${fields.join('\r\n')}\r\n-\r\n`;

/** As SWIFT carries it. */
export const messageInBlocks = (type: string, ...fields: readonly string[]): string =>
  `{1:F01TESTDEFFAXXX0000000000}{2:O${type}XXXXXXXXXXN}{3:{108:1}}{4:\r\n${fields.join('\r\n')}\r\n-}{5:{CHK:0}}`;

/** An MT940 with these bookings. */
export const mt940 = (...fields: readonly string[]): string =>
  bareMessage(...HEADING, ...fields, ':62F:C261126EUR1000,00');

const BOOKINGS = [
  ':61:2611261126CR250,50NTRFNONREF//8827364512',
  ':86:166?00GUTSCHRIFT?109310?20EREF+PO01KBX3D9Q4NE8V8K3W2M?216R5T7XA?22SVWZ+Rechnung',
  '?30COBADEFFXXX?31DE89370400440532013000?32Jürgen Muster',
  ':61:2611261125RD30,NCHG',
  ':86:/EREF/A/CNTP/NL32INGB0000012345//J. DE VRIES///REMI/USTD//TEXT/',
  ':61:2611261125DR30,NCHG//REF',
  '/OCMT/EUR11,85//CHGS/EUR0,50/',
  ':86:text of',
  'two lines',
];
const REPORT = [':34F:EURD0,', ':34F:EURC0,', ':13D:2611261815+0100', ...BOOKINGS, ':90D:1EUR30,', ':90C:2EUR280,50'];

const originals = (): Buffer[] =>
  [
    mt940(...BOOKINGS),
    messageInBlocks('940', ...HEADING, ...BOOKINGS, ':62M:C261126EUR1,') +
      messageInBlocks('940', ...HEADING, ':62F:C261126EUR1,'),
    messageInBlocks('942', ...HEADING.slice(0, 3), ...REPORT),
    bareMessage(...HEADING.slice(0, 3), ...REPORT) + mt940(...BOOKINGS),
  ].map((text) => Buffer.from(text));

const STRANGE_LINES = [
  '-',
  '-}',
  '{1:}{2:I910}{4:',
  '{4:',
  ':',
  '::::',
  ':61:',
  ':61:999999C1,N',
  `:61:261126C${'9'.repeat(400)},NTRF`,
  ':60F:C261126QQQ1,',
  ':62F:C261126USD1,',
  ':62F:',
  ':28C:99999999999999999999/1',
  ':25:////',
  ':13D:9999999999+9999',
  ':34F:0',
  ':90D:1',
  ':86:166?20SVWZ+',
  ':86:/EREF/',
  ':86:\u0000\u202e\ufeff',
  ':NS:22',
  ':99Z:x',
  '?'.repeat(200),
];

const below = (chance: Chance, limit: number): number => Math.floor(chance() * limit);
const pick = <Value>(chance: Chance, values: readonly Value[]): Value => values[below(chance, values.length)] as Value;

/** A change of the lines of a message. */
const ofLines =
  (change: (lines: string[], at: number, chance: Chance) => void): Mutation =>
  (bytes, chance) => {
    const lines = bytes.toString('latin1').split('\r\n');
    change(lines, below(chance, lines.length), chance);
    return Buffer.from(lines.join('\r\n'), 'latin1');
  };

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  flip(bytes, chance) {
    const changed = Buffer.from(bytes);
    for (let times = 1 + below(chance, 5); times > 0; times -= 1) {
      changed[below(chance, changed.length)] = below(chance, 256);
    }
    return changed;
  },
  cut: (bytes, chance) => bytes.subarray(0, below(chance, bytes.length)),
  cutStart: (bytes, chance) => bytes.subarray(below(chance, bytes.length)),
  doubleFile: (bytes) => Buffer.concat([bytes, bytes]),
  remove: ofLines((lines, at) => lines.splice(at, 1)),
  double: ofLines((lines, at) => lines.splice(at, 0, lines[at] as string)),
  move: ofLines((lines, at, chance) => lines.splice(below(chance, lines.length), 0, ...lines.splice(at, 1))),
  strange: ofLines((lines, at, chance) => lines.splice(at, 1, pick(chance, STRANGE_LINES))),
  tag: ofLines((lines, at, chance) => {
    lines[at] = `:${pick(chance, ['20', '25', '28C', '60M', '61', '62M', '64', '86', '90C'])}:${lines[at]?.slice(5)}`;
  }),
  join: ofLines((lines, at) => lines.splice(at, 2, `${lines[at]}${lines[at + 1] ?? ''}`)),
  character: ofLines((lines, at, chance) => {
    const line = lines[at] as string;
    const from = below(chance, line.length);
    lines[at] =
      line.slice(0, from) + pick(chance, ['', ',', '/', '?', '+', ' ', 'C', '0', '{', '-']) + line.slice(from + 1);
  }),
};

export const brokenMessages = (count: number, seed: number): Generator<BrokenFile> =>
  broken({ files: originals(), mutations: MUTATIONS, name: 'broken.sta', sizes: [1, 100, 4_096] }, count, seed);
