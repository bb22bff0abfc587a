/**
 * Statement files that somebody broke: bytes flipped, cut off, put in; elements moved, doubled, taken out, nested; texts, names and encodings
 * exchanged. The same seed breaks them in the same way. Next: `read-documents.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chance, seeded } from '../generators/seeded.ts';
import { ISO20022 } from './public-samples.ts';
import { ACCOUNT, entry, sample, statement, zipOf } from './read-documents.ts';

/** What is broken: samples of our own, and the public ones where they are. */
function originals(): Buffer[] {
  const large = Buffer.from(statement(ACCOUNT + entry().repeat(500)));
  const own = [sample('camt053.xml'), sample('pain002.xml'), large];
  const zip = zipOf(own.map((file, at) => [`${at}.xml`, file] as const));
  if (ISO20022 === undefined) return [...own, zip];
  const folder = join(ISO20022, 'samples');
  return [...own, zip, ...readdirSync(folder).map((name) => readFileSync(join(folder, name)))];
}

const below = (chance: Chance, limit: number): number => Math.floor(chance() * limit);
const pick = <Value>(chance: Chance, values: readonly Value[]): Value => values[below(chance, values.length)] as Value;

/** Replaces `count` bytes. */
function splice(bytes: Buffer, from: number, count: number, replacement: Uint8Array | string): Buffer {
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(replacement), bytes.subarray(from + count)]);
}

/** Where an element without elements of its name begins and ends. */
function elementIn(bytes: Buffer, chance: Chance): readonly [from: number, to: number] {
  const text = bytes.toString('latin1');
  const found = [...text.matchAll(/<([\w:]+)[^<>]*>/g)];
  if (found.length === 0) return [0, 0];
  const { index, 1: name } = pick(chance, found);
  const end = text.indexOf(`</${name}>`, index);
  return end === -1 ? [index, index] : [index, end + `</${name}>`.length];
}

const STRANGE_TEXTS = [
  '',
  '-1',
  '1e9',
  '9'.repeat(400),
  '0.000001',
  'NaN',
  '2026-02-30',
  '\u0000',
  '&amp;',
  '&x;',
  ']]>',
  '<![CDATA[1]]>',
  '\ud7ff',
  '<!--',
  '--',
  '١',
];
const STRANGE_STARTS = [
  '<!DOCTYPE x [<!ENTITY x "y">]>',
  '<?xml version="1.0" encoding="UTF-16"?>',
  '<?xml version="1.0" encoding="EBCDIC"?>',
  '\ufeff',
  'PK\u0003\u0004',
  '<a>'.repeat(200),
];

export type Mutation = (bytes: Buffer, chance: Chance) => Buffer;

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  flip(bytes, chance) {
    const changed = Buffer.from(bytes);
    const count = 1 + below(chance, 20);
    for (let times = 0; times < count && changed.length > 0; times += 1) {
      changed[below(chance, changed.length)] = below(chance, 256);
    }
    return changed;
  },
  flipOneBit(bytes, chance) {
    const changed = Buffer.from(bytes);
    const at = below(chance, changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << below(chance, 8));
    return changed;
  },
  cut: (bytes, chance) => bytes.subarray(0, below(chance, bytes.length)),
  cutStart: (bytes, chance) => bytes.subarray(below(chance, bytes.length)),
  doubleFile: (bytes) => Buffer.concat([bytes, bytes]),
  doubleBytes(bytes, chance) {
    const from = below(chance, bytes.length);
    return splice(bytes, from, 0, bytes.subarray(from, from + below(chance, 2_000)));
  },
  remove(bytes, chance) {
    const [from, to] = elementIn(bytes, chance);
    return splice(bytes, from, to - from, '');
  },
  double(bytes, chance) {
    const [from, to] = elementIn(bytes, chance);
    return splice(bytes, to, 0, bytes.subarray(from, to));
  },
  move(bytes, chance) {
    const [from, to] = elementIn(bytes, chance);
    const [, target] = elementIn(bytes, chance);
    return splice(bytes, target, 0, bytes.subarray(from, to));
  },
  manyTimes(bytes, chance) {
    const [from, to] = elementIn(bytes, chance);
    return to - from > 2_000 ? bytes : splice(bytes, to, 0, bytes.subarray(from, to).toString('latin1').repeat(500));
  },
  nest(bytes, chance) {
    const [from] = elementIn(bytes, chance);
    return splice(bytes, from, 0, '<Ntry><NtryDtls><TxDtls>'.repeat(1 + below(chance, 50)));
  },
  text(bytes, chance) {
    const [from, to] = elementIn(bytes, chance);
    const inside = bytes.indexOf('>', from) + 1;
    const end = Math.max(inside, bytes.lastIndexOf('<', to - 1));
    return splice(bytes, inside, end - inside, pick(chance, STRANGE_TEXTS));
  },
  start: (bytes, chance) => splice(bytes, 0, 0, pick(chance, STRANGE_STARTS)),
  encoding(bytes, chance) {
    const written = pick(chance, ['utf16le', 'latin1', 'utf8'] as const);
    return Buffer.from(bytes.toString(pick(chance, ['latin1', 'utf8'] as const)), written);
  },
};

export interface BrokenFile {
  readonly how: string;
  readonly bytes: Buffer;
  /** Bytes of a piece. */
  readonly size: number;
}

/** What is broken: whole files, in which ways, under which name in a ZIP, and in pieces of which sizes. */
interface Breaking {
  readonly files: readonly Buffer[];
  readonly mutations: Readonly<Record<string, Mutation>>;
  readonly name: string;
  readonly sizes: readonly number[];
}

/** `count` of them: one to three things were done to each, every kind of them in turn. */
export function* broken(
  { files, mutations, name, sizes }: Breaking,
  count: number,
  seed: number,
): Generator<BrokenFile> {
  const chance = seeded(seed);
  const kinds = Object.entries(mutations);
  for (let number = 0; number < count; number += 1) {
    let bytes = files[number % files.length] as Buffer;
    const how: string[] = [];
    for (let times = 1 + below(chance, 3); times > 0; times -= 1) {
      const [kind, mutate] =
        how.length === 0 ? (kinds[number % kinds.length] as (typeof kinds)[0]) : pick(chance, kinds);
      how.push(kind);
      if (bytes.length > 0) bytes = mutate(bytes, chance);
    }
    // Sometimes in a ZIP, whose bytes are right.
    if (number % 7 === 6) bytes = zipOf([[name, bytes]]);
    yield { how: `${number}: ${how.join(', ')}`, bytes, size: pick(chance, sizes) };
  }
}

export const brokenFiles = (count: number, seed: number): Generator<BrokenFile> =>
  broken({ files: originals(), mutations: MUTATIONS, name: 'broken.xml', sizes: [1_000, 4_096, 65_536] }, count, seed);
