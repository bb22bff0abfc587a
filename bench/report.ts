/**
 * The report: figures as they come, targets with a verdict at the end, written as Markdown and JSON. A verdict compares
 * the raw figure; what is printed is cut, never rounded in its favour. No host names or paths.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pass } from './measure/pass.ts';
import type { Facts } from './measure/facts.ts';

/** One contestant in one scenario. */
export interface Figure extends Pass {
  readonly scenario: string;
  readonly contestant: string;
}

interface Wanted {
  readonly atLeast?: number;
  readonly atMost?: number;
}

type Unit = '×' | '%' | 'ms' | 'µs' | 's' | 'MB' | 'B' | '/s';

export interface Target extends Wanted {
  readonly what: string;
  /** In words: `≥ 0.8 × bare Fastify`. */
  readonly target: string;
  /** `null`: no scenario measures it. */
  readonly figure: number | null;
  readonly unit: Unit;
  /** `null`: not measured, or a figure that has no target. */
  readonly met: boolean | null;
}

export class Report {
  readonly figures: Figure[] = [];
  readonly targets: Target[] = [];
  private readonly startedAt = performance.now();

  progress(line: string): void {
    const seconds = Math.round((performance.now() - this.startedAt) / 1000);
    process.stderr.write(`[${String(seconds).padStart(4)} s] ${line}\n`);
  }

  figure(scenario: string, contestant: string, pass: Pass): void {
    this.figures.push({ scenario, contestant, ...pass });
  }

  target(what: string, unit: Unit, figure: number, wanted: Wanted, than = ''): void {
    const { atLeast, atMost } = wanted;
    const target = bound(unit, wanted, than);
    const met = figure >= (atLeast ?? Number.NEGATIVE_INFINITY) && figure <= (atMost ?? Number.POSITIVE_INFINITY);
    this.targets.push({ what, target, figure, unit, met, ...wanted });
    this.progress(`  ${what}: ${cut(figure, wanted)} ${unit}, target ${target}: ${met ? 'met' : 'MISSED'}`);
  }

  /** A ratio that the machine decides more than the product: printed among the targets, and never judged. */
  reported(what: string, figure: number, than: string): void {
    this.targets.push({ what, target: `none (× ${than})`, figure, unit: '×', met: null, atLeast: 0 });
    this.progress(`  ${what}: ${cut(figure, { atLeast: 0 })} × ${than}, no target`);
  }

  /** A target that no scenario measures yet, so that a run does not look complete without it. */
  notMeasured(what: string, unit: Unit, wanted: Wanted, than = ''): void {
    const target = bound(unit, wanted, than);
    this.targets.push({ what, target, figure: null, unit, met: null });
  }

  markdown(title: string, facts: Facts): string {
    const targets = this.targets.map((each) => [
      each.what,
      each.target,
      each.figure === null ? '–' : `${cut(each.figure, each)} ${each.unit}`,
      verdict(each),
    ]);
    const figures = this.figures.map((each) => [
      each.scenario,
      each.contestant,
      count(each.perSecond),
      ms(each.p50Ms),
      ms(each.p99Ms),
      Number.isFinite(each.cpuMs) ? each.cpuMs.toFixed(3) : '–',
      Number.isFinite(each.foreignShare) ? percent(each.foreignShare) : '–',
    ]);
    const shares = this.figures.map((each) => each.foreignShare).filter(Number.isFinite);
    const judged = this.targets.filter((each) => each.met !== null);
    const met = judged.filter((each) => each.met).length;
    const lines = [
      `# Benchmark: ${title}`,
      '',
      `${facts.cores} cores (load generator included), ${facts.memoryGb} GB, ${facts.cpu}, ${facts.system}; Node ${facts.node}, PostgreSQL ${facts.postgres}, fsync on.`,
      `One flushed write of 8 kB takes ${ms(facts.flushMs)} ms. Programs of others took ${percent(Math.max(0, ...shares))} of the cores in the most disturbed scenario; above some 5 % figures mean little.`,
      `${facts.passes} passes of ${facts.measureSeconds} s each${facts.warmingUp > 0 ? ' after one that does not count' : ''}, interleaved; medians; ratios within a round. Books verified after every pass.`,
      '',
      `## Targets: ${met} of ${judged.length} met`,
      '',
      ...table(['what', 'target', 'figure', 'verdict'], targets),
      '',
      '## Figures',
      '',
      ...table(['scenario', 'contestant', 'answers/s', 'p50 ms', 'p99 ms', 'CPU ms an answer', 'others’ CPU'], figures),
      '',
    ];
    return lines.join('\n');
  }

  /** Writes `<folder>/<date>-<name>.md` and `.json`; returns the Markdown. */
  async write(folder: string, name: string, facts: Facts): Promise<string> {
    const date = new Date().toISOString().slice(0, 10);
    const markdown = this.markdown(`${date}, ${name}`, facts);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${date}-${name}.md`), markdown);
    const { targets, figures } = this;
    await writeFile(
      join(folder, `${date}-${name}.json`),
      `${JSON.stringify({ date, name, facts, targets, figures }, null, 2)}\n`,
    );
    return markdown;
  }
}

/** Beside the sources, also when this runs from dist/. */
export function resultsFolder(): string {
  return fileURLToPath(import.meta.url.replace(/(?:\/dist)?\/bench\/.*$/, '/bench/results'));
}

function bound(unit: Unit, { atLeast, atMost }: Wanted, than: string): string {
  return `${atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`} ${unit}${than === '' ? '' : ` ${than}`}`;
}

function verdict({ figure, met }: Target): string {
  if (figure === null) return 'not measured';
  if (met === null) return '–';
  return met ? 'met' : '**missed**';
}

/** Down for what should be large, up for what should be small: never nicer than it is. */
function cut(figure: number, { atLeast }: Wanted): string {
  const round = atLeast === undefined ? Math.ceil : Math.floor;
  const digits = Math.abs(figure) >= 100 ? 1 : 100;
  return Number.isFinite(figure) ? String(round(figure * digits) / digits) : '–';
}

const count = (value: number) => Math.floor(value).toLocaleString('en-US');
const ms = (value: number) => (Number.isFinite(value) ? value.toFixed(2) : '–');
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index < 2 ? '---' : '--:'))), ...rows.map(line)];
}
