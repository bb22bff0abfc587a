/**
 * What a shared machine with two cores decides is no test: outside `test/long/` and `bench/` nothing is asserted about the clock, about
 * megabytes or about luck. Order and counts decide there. Every limit in milliseconds and megabytes is held by `npm run soak -- long`.
 */
import { lineOf } from './rules.ts';
import type { Source } from './source.ts';

/** Where times and sizes are measured: the long suite, what only the long suite or a named soak uses, and where patience is made. */
const MAY_MEASURE = [
  /^test\/long\//,
  /\.long\.test\.ts$/,
  /^bench\//,
  /^scripts\//,
  /^test\/support\/measure\//,
  /^test\/support\/failover\//,
  /^test\/support\/generators\/seeded\.ts$/, // where seeds come from
  // Patience: how long is waited for what is not the claim.
  /^test\/support\/harness\/(?:eventually|http|event-stream|server-process)\.ts$/,
];

/** Clocks, memory and processor time. */
const GAUGES =
  /\bperformance\s*\.\s*now\b|\bprocess\s*\.\s*(?:hrtime|memoryUsage|cpuUsage|resourceUsage)\b|\bmonitorEventLoopDelay\b|\beventLoopUtilization\b|\bVmRSS\b|\bVmHWM\b/g;
/** An assertion about a quantity whose name ends in a unit of time or memory, or that reads the clock. */
const ASSERTED =
  /\bexpect\([^;]*?(?:\b(?:ms|seconds|elapsed|rss|mb)\b|\w(?:Ms|Seconds|Mb|Megabytes|Elapsed)\b|Date\.now\(\))[^;]*?\)\s*\.(?:\s*not\s*\.)?\s*toBe(?:Less|Greater)Than/g;
/** Chance without a seed: a failure that nobody can repeat. */
const LUCK = /\bMath\s*\.\s*random\b|\bDate\.now\(\)\s*%/g;

/** A test, or what tests stand on. */
const isOfTests = (path: string) => /^test\/|\.test\.ts$/.test(path) || /^(?:examples|client\/test)\//.test(path);

/** Complaints about one file, each with its line. */
export function clocksAndLuck({ path, code }: Source): string[] {
  if (!isOfTests(path) || MAY_MEASURE.some((place) => place.test(path))) return [];
  const found = (text: string, pattern: RegExp, complaint: string) =>
    [...text.matchAll(pattern)].map((match) => `line ${lineOf(text, match.index)}: ${complaint}`);
  return [
    ...found(code, GAUGES, 'reads a clock or a gauge; limits in milliseconds and megabytes are for test/long/'),
    ...found(code, ASSERTED, 'asserts a time or a size; count, order, or move it to test/long/'),
    ...found(code, LUCK, 'chance without a seed; use test/support/generators/seeded.ts'),
  ];
}
