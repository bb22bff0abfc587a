/**
 * `npm run bench`: everything on one machine in one go, limits beside the product, ratios against the targets, results in
 * bench/results/. A wrong book or an answer other than 200 ends the run without figures. Next: `scenarios/`.
 */
import { facts } from './measure/facts.ts';
import { type Options, options, USAGE } from './options.ts';
import { Report, resultsFolder } from './report.ts';
import { batches } from './scenarios/batches.ts';
import { environments } from './scenarios/environments.ts';
import { exchanges } from './scenarios/exchanges.ts';
import { growth } from './scenarios/growth.ts';
import { imports } from './scenarios/imports.ts';
import { pages } from './scenarios/pages.ts';
import { payouts } from './scenarios/payouts.ts';
import { reads } from './scenarios/reads.ts';
import type { Bench, Scenario } from './scenarios/scenario.ts';
import { start } from './scenarios/start.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { startCluster } from './setup/cluster.ts';
import { type Large, storePayouts } from './setup/large.ts';
import { openWorld, type World } from './setup/world.ts';

/** In this order: what needs the million stored payouts comes last. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  start,
  payouts,
  environments,
  exchanges,
  batches,
  webhooks,
  pages,
  reads,
  imports,
  growth,
};

async function run(chosen: Options): Promise<void> {
  const report = new Report();
  report.progress('starting PostgreSQL');
  const cluster = await startCluster();
  let world: World | null = null;
  try {
    world = await openWorld(cluster, chosen);
    const bench = benchOf(world, report);
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      if (chosen.only.length === 0 || chosen.only.includes(name)) await scenario(bench);
    }
    const measuredOn = await facts(world.product.databaseUrl ?? '', cluster.folder, chosen);
    process.stdout.write(await report.write(resultsFolder(), chosen.name, measuredOn));
  } finally {
    await world?.stop();
    await cluster.stop();
  }
}

function benchOf(world: World, report: Report): Bench {
  let large: Promise<Large> | null = null;
  const make = () => {
    const payouts = world.options.stored.large;
    report.progress(`storing ${payouts.toLocaleString('en-US')} payouts, one request each`);
    return storePayouts(world, 'bench_large', payouts);
  };
  return { world, report, large: () => (large ??= make()) };
}

// So that what runs on exit (servers killed, folders removed) runs on Ctrl-C too.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
try {
  const given = process.argv.slice(2);
  if (given.includes('--help')) process.stdout.write(`${USAGE}\nScenarios: ${Object.keys(SCENARIOS).join(', ')}\n`);
  else await run(options(given, Object.keys(SCENARIOS)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 1;
}
