/** What the figures were measured on. Nothing that names a machine, a person or a folder. */
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import type { Options } from '../options.ts';
import { withClient } from '../setup/cluster.ts';

export interface Facts {
  readonly cores: number;
  readonly memoryGb: number;
  readonly cpu: string;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly passes: number;
  readonly measureSeconds: number;
  readonly storedPayouts: number;
}

export async function facts(databaseUrl: string, options: Options): Promise<Facts> {
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
    measureSeconds: options.measureMs / 1000,
    storedPayouts: options.stored.large,
  };
}
