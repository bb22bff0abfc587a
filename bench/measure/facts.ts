/** What the figures were measured on. Nothing that names a machine, a person or a folder. */
import { open, rm } from 'node:fs/promises';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import type { Options } from '../options.ts';
import { withClient } from '../setup/cluster.ts';
import { median } from './statistics.ts';

export interface Facts {
  readonly cores: number;
  readonly memoryGb: number;
  readonly cpu: string;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly passes: number;
  readonly warmingUp: number;
  readonly measureSeconds: number;
  readonly storedPayouts: number;
  /** Median time of one 8 kB write with fdatasync: what every commit waits for. */
  readonly flushMs: number;
}

export async function facts(databaseUrl: string, folder: string, options: Options): Promise<Facts> {
  const postgres = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? '';
  });
  return {
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    cpu: cpus()[0]?.model.trim() ?? 'unknown processor',
    system: `${platform()} ${release().split('.', 2).join('.')}`,
    node: process.versions.node,
    postgres,
    passes: options.passes,
    warmingUp: options.warmingUp,
    measureSeconds: options.measureMs / 1000,
    storedPayouts: options.stored.large,
    flushMs: await flushMs(folder),
  };
}

const FLUSHES = 200;
const PAGE = Buffer.alloc(8192);

/** On the disk the database is on. */
async function flushMs(folder: string): Promise<number> {
  const path = `${folder}/flush`;
  const file = await open(path, 'w');
  const times: number[] = [];
  try {
    for (let i = 0; i < FLUSHES; i++) {
      const startedAt = performance.now();
      await file.write(PAGE, 0, PAGE.length, i * PAGE.length);
      await file.datasync();
      times.push(performance.now() - startedAt);
    }
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
  return median(times);
}
