/**
 * Random cases that are the same with every change, so that luck decides no test: those of one seed. `SEED=7` tries others, and
 * `TIMES=20` twenty times as many, which are others in every run; so does what a release must pass
 * (`test/support/measure/long-parts.ts`). What fails names its seed. Set up for every project but `long`, whose cases are others in
 * every run (vitest.config.ts).
 */
import fc from 'fast-check';
import { newSeed } from './seeded.ts';

const EVERY_CHANGE = '32';

const times = Number(process.env['TIMES'] ?? 1);
if (times === 1) process.env['SEED'] ??= EVERY_CHANGE;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: newSeed() });

/** Before a release: controls that take a minute, and what is looked at in part with every change. */
export const isRelease = times > 1;

/** How often a property is tried: so many times with every change. */
export const runs = (everyChange: number): number => everyChange * times;
