/**
 * Sizes of rooms and doors between them: no file and no folder is too small to be one, and a slice is entered by its own doors.
 * Which folder may import which: `floors.ts`. Next: ARCHITECTURE.md, where to find things.
 */
import { folderOf } from './floors.ts';
import type { Source } from './source.ts';

/** A file of fewer lines needs a second importer. */
export const MIN_LINES = 25;
export const MIN_FILES = 2;
export const MAX_FILES = 32;

/** Files that stay alone all the same, each with its reason. */
const ALONE: Readonly<Record<string, string>> = {
  'src/ledger/statements/slice.ts': 'a slice has its value in slice.ts',
  'src/tenancy/environments/slice.ts': 'a slice has its value in slice.ts',
  'src/tenancy/sessions/slice.ts': 'a slice has its value in slice.ts',
};

const isProduct = (path: string): boolean => path.startsWith('src/') && !path.endsWith('.test.ts');
const linesOf = ({ text }: Source): number => text.split('\n').length - 1;

/** Small files that one other product file imports: they belong there. */
export function smallFiles(files: readonly Source[], alone: Readonly<Record<string, string>> = ALONE): string[] {
  const product = files.filter(({ path }) => isProduct(path));
  const small = product.filter((file) => linesOf(file) < MIN_LINES).map(({ path }) => path);
  const importersOf = (path: string) => product.filter(({ imports }) => imports.some(({ target }) => target === path));
  const merged = small.filter((path) => importersOf(path).length === 1);
  return [
    ...merged.filter((path) => !(path in alone)).map((path) => `${path} belongs into ${importersOf(path)[0]?.path}`),
    ...Object.keys(alone)
      .filter((path) => !merged.includes(path))
      .map((path) => `${path} needs no exception`),
  ];
}

/** Folders below `src/` with too few or too many files of their own, tests left out. */
export function oddFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths.filter(isProduct)) {
    if (path.split('/').length === 2) continue; // loose files: `looseFiles`
    counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count < MIN_FILES || count > MAX_FILES)
    .map(([folder, count]) => `${folder} has ${count} files, not ${MIN_FILES} to ${MAX_FILES}`);
}

/** The doors of a slice: what it is to the write path, its objects, their JSON, their tables. Its routes are for `server/` alone. */
const DOORS = /^(?:slice|fields|(?:[a-z]+-)?schema|(?:[a-z]+-)?sql)$/;
const ROUTES = /^(?:[a-z]+-)*routes$/;

/** Other files of slices that are reached from outside. The list gets shorter, not longer. */
const REACHED: readonly string[] = [
  // Commands of one slice that are decided by another: money that a bank reports ends payouts, payments and entries.
  'bank/statements/assign-decide',
  'bank/statements/booking',
  'bank/statements/parts',
  'collecting/payments/decide',
  'collecting/payments/expected-decide',
  'collecting/payments/refund',
  'collecting/payments/sandbox-bank',
  'collecting/payments/tokens',
  'collecting/payments/void-decide',
  'ledger/exchanges/conversion',
  'paying/payouts/decide',
  // One-time links and who ends sessions: users make links, and sign-in uses them.
  'tenancy/people/links',
  'tenancy/people/parts',
  'tenancy/people/decide',
  // The way into the dashboard is put together by the server.
  'tenancy/sessions/admission',
  'tenancy/sessions/parts',
  'tenancy/sessions/sealing',
  'tenancy/sessions/store',
  'tenancy/sessions/proofs',
  'tenancy/sessions/throttle',
  'tenancy/sessions/view',
  'paying/payouts/facts-decide',
  'paying/payouts/payable-decide',
  'paying/recipients/match-decide',
  'tenancy/keys/decide',
  // Parameters of requests that two slices take.
  'bank/statements/parameters',
  'paying/payouts/routes',
  'paying/recipients/address-parameters',
  'paying/recipients/bank-details',
  'paying/recipients/match-parameters',
  'paying/recipients/parameters',
  // Sealed columns, for the write path and for a new server secret.
  'bank/payment-files/sealing',
  'bank/statements/sealing',
  'collecting/payments/sealing',
  'paying/recipients/sealing',
  // What the lists of one slice show of another.
  'bank/matching/suggested',
  // The code of a transfer as a picture: of an expected payment, and on its page.
  'collecting/payments/code-picture',
  // Rates of the market.
  'ledger/exchanges/filed-rates',
  'ledger/exchanges/rate-source',
  'ledger/exchanges/rates',
  'ledger/exchanges/staleness',
  'ledger/live-rates/live-rates',
  'ledger/live-rates/rate-settings',
  'ledger/live-rates/rates-document',
  'ledger/live-rates/rates-fetch',
  // Workers and connections that the running process holds.
  'bank/payment-files/exporting',
  'bank/payment-files/plan',
  'bank/payment-files/sandbox-bank',
  'bank/payment-files/schedule',
  'bank/statements/bank-metrics',
  'bank/imports/books',
  'bank/imports/import-turns',
  'bank/imports/importing',
  'bank/imports/reading',
  'bank/imports/waiting-statements',
  'collecting/cards/acquirer',
  'collecting/cards/stripe',
  'collecting/checkout/card-checkout',
  'collecting/checkout/csrf',
  'collecting/checkout/status-stream',
  'collecting/payments/expiry',
  'events/log/openapi',
  'events/log/range',
  'events/log/stream',
  'events/webhooks/delivery',
  'events/webhooks/dispatcher',
  'events/webhooks/send',
  'events/webhooks/signature',
  'ledger/statements/issuing',
  'paying/payouts/funding',
  'paying/payouts/priced-orders',
  'paying/payouts/settlement',
  'paying/standing-orders/runs',
  'tenancy/keys/authenticate',
  'tenancy/keys/key',
  'tenancy/keys/keys',
  'tenancy/keys/networks',
  'tenancy/keys/rehash',
  'tenancy/sandbox/reset',
];

/** The folders with files of a slice: its value, or its routes. The house around them has routes too. */
export const slicesIn = (files: readonly Source[]): ReadonlySet<string> =>
  new Set(
    files
      .map(({ path }) => path)
      .filter((path) => /^src\/(?:bank|collecting|events|ledger|paying|tenancy)\/[^/]+\/[^/]+$/.test(path))
      .map(folderOf),
  );

/** Imports that enter a slice past its doors, and names on the list that nobody uses. */
export function sideDoors(files: readonly Source[], reached: readonly string[] = REACHED): string[] {
  const slices = slicesIn(files);
  const used = new Set<string>();
  const complaints = files
    .filter(({ path }) => isProduct(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) => {
        const [folder, name] = [folderOf(target), target.slice(target.lastIndexOf('/') + 1, -'.ts'.length)];
        const own = folderOf(path);
        if (!target.startsWith('src/') || !slices.has(folder) || own === folder || own.startsWith(`${folder}/`))
          return [];
        if (DOORS.test(name) || (/^server(?:\/|$)/.test(own) && ROUTES.test(name))) return [];
        used.add(`${folder}/${name}`);
        return reached.includes(`${folder}/${name}`) ? [] : [`${path} enters ${folder} by ${name}.ts`];
      }),
    );
  return [...complaints, ...reached.filter((name) => !used.has(name)).map((name) => `nobody reaches ${name}`)];
}
