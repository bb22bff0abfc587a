/**
 * The live rates of this process: from a file or an address, looked at in the background, and used once their fixing is stored for every
 * live environment (`fixings`), so that a quote never names a fixing that cannot be found again. A document with other rates for a stored
 * instant is not used. Every process looks for itself; the first one stores. Reading: `rates-document.ts`.
 */
import type { Log } from '../../platform/db/embedded/embedded.ts';
import { asOwner, type Run } from '../../platform/db/owner.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { FiledRates } from '../exchanges/filed-rates.ts';
import { type LiveRates, rateSource, type RateSource } from '../exchanges/rate-source.ts';
import type { RateSettings } from './rate-settings.ts';
import { type DocumentSettings, parseRates } from './rates-document.ts';
import { ratesFile } from './rates-file.ts';
import type { NoRate } from '../exchanges/rates.ts';
import { type Fixing, fixingState, storeFixing } from '../exchanges/sql.ts';
import { startPoller } from '../../platform/workers/poller.ts';
import { ratesFetcher, type RatesFetcher } from './rates-fetch.ts';

export interface LiveRatesOptions {
  readonly settings: RateSettings;
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Runs one transaction with the rights of the tables' owner: the server's own role adds no fixings. */
  asOwner<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** For the operator, in a sentence. */
  readonly onFault: (message: string) => void;
  /** In tests: another way to fetch. */
  readonly fetcher?: RatesFetcher;
}

/** The rates of sandbox and live, from the source of the settings. */
export async function startRates(
  parts: Pick<LiveRatesOptions, 'settings' | 'rows'> & { readonly ownerUrl: string; readonly log: Log },
): Promise<RateSource & Pick<LiveRatesWorker, 'stop'>> {
  const { settings, rows, ownerUrl, log } = parts;
  const { live, stop } = await startLiveRates({
    settings,
    rows,
    asOwner: (work) => asOwner(ownerUrl, log, work),
    onFault: (message) => log.error(message),
  });
  return { ...rateSource({ live, businessDays: settings.ratesBusinessDays }), stop };
}

export interface LiveRatesWorker {
  /** `null`: no source is set. */
  readonly live: LiveRates | null;
  stop(): Promise<void>;
}

/** How often a change is looked for. */
const POLL_MS = 1_000;
/** How often environments are looked for that came to be after the fixing. */
const STORE_AGAIN_MS = 10_000;
/** After a fetch that failed. */
const RETRY_MS = 30_000;

/** What a document does not say of itself. */
export function documentSettings(settings: RateSettings): DocumentSettings {
  const { ratesPointers: pointers, ratesBase: base, ratesMarkupBps: markupBps, ratesSource, ratesUrl } = settings;
  const source = ratesSource || (ratesUrl === null ? 'file' : new URL(ratesUrl).host.slice(0, 40));
  return { pointers, base, source, markupBps };
}

/** Resolves when a file has been read once. An address may answer later. */
export async function startLiveRates(options: LiveRatesOptions): Promise<LiveRatesWorker> {
  const { settings, onFault } = options;
  const source = sourceOf(options);
  if (source === null) return { live: null, stop: async () => undefined };
  let now: FiledRates | NoRate = { unavailable: 'the rates have not been read yet' };
  let seen: FiledRates | NoRate | null = null;
  let storedMs = Number.NEGATIVE_INFINITY;
  const round = async (): Promise<boolean> => {
    const found = await source.look();
    const isOld = performance.now() - storedMs > STORE_AGAIN_MS;
    if (found === seen && !isOld) return false;
    if ('unavailable' in found) now = found;
    else {
      const contradicted = await store(options, { ...found.table.parts, atMs: found.at });
      if (contradicted && found !== seen) onFault(contradiction(found));
      now = contradicted ? CONTRADICTED : found;
    }
    seen = found;
    storedMs = performance.now();
    return false;
  };
  const failed = (error: unknown) =>
    onFault(`The live rates could not be stored, and those from before count on: ${(error as Error).message}`);
  if (settings.ratesFile !== null) await round().catch(failed);
  const poller = startPoller({ poll: round, pauseMs: POLL_MS, onFault: failed });
  return {
    live: () => now,
    async stop() {
      await source.close();
      await poller.stop();
    },
  };
}

interface Source {
  /** The rates as they stand; the same value until they change. Never rejects. */
  look(): Promise<FiledRates | NoRate>;
  close(): Promise<void>;
}

function sourceOf({ settings, onFault, fetcher }: LiveRatesOptions): Source | null {
  const form = documentSettings(settings);
  if (settings.ratesFile !== null) {
    const read = ratesFile(settings.ratesFile, form, onFault);
    return { look: async () => read(Date.now()), close: async () => undefined };
  }
  if (settings.ratesUrl === null) return null;
  const { fetch, close } = fetcher ?? ratesFetcher(settings.ratesUrl);
  let now: FiledRates | NoRate = { unavailable: 'the live rates have not been fetched yet' };
  let dueMs = 0;
  let isFaulty = false;
  return {
    close,
    async look() {
      if (performance.now() < dueMs) return now;
      try {
        const next = parseRates(await fetch(), form);
        if (!isSame(now, next)) now = next;
        isFaulty = false;
        dueMs = performance.now() + settings.ratesIntervalSeconds * 1000;
      } catch (error) {
        // What was fetched before stays good for its business days.
        if (!isFaulty) onFault(`The live rates could not be fetched; trying again: ${(error as Error).message}`);
        isFaulty = true;
        if ('unavailable' in now) now = { unavailable: 'the live rates could not be fetched' };
        dueMs = performance.now() + Math.min(RETRY_MS, settings.ratesIntervalSeconds * 1000);
      }
      return now;
    },
  };
}

const isSame = (one: FiledRates | NoRate, other: FiledRates): boolean =>
  !('unavailable' in one) &&
  one.at === other.at &&
  JSON.stringify(one.table.parts) === JSON.stringify(other.table.parts);

const CONTRADICTED: NoRate = { unavailable: 'the source gives other rates than before for the same instant' };

const contradiction = ({ table, at }: FiledRates): string =>
  `The rates of ${table.parts.source} for ${new Date(at).toISOString()} are stored already, and the source gives others now. They are not used: rates that change need a new instant.`;

/** Stores a missing fixing. Returns whether another fixing is stored for that instant. */
async function store({ rows, asOwner: owner }: LiveRatesOptions, fixing: Fixing): Promise<boolean> {
  const state = async (read: typeof rows) => (await read(fixingState(fixing)))[0];
  let found = await state(rows);
  if (found?.['is_missing'] === true) {
    await owner((run) => run(storeFixing(fixing)));
    found = await state(rows);
  }
  return found?.['is_contradicted'] === true;
}
