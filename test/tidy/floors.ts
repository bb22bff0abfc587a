/**
 * The floors of the house: a folder imports only from folders on lower floors, types included, so no arrow runs up and
 * nothing can go round in a circle. What a file of a slice may import beyond that: `places.ts`. Next: ARCHITECTURE.md,
 * where to find things.
 */
import type { Source } from './source.ts';

/** Slices by business, none of which knows another. */
export const SLICES = [
  'events/log',
  'events/webhooks',
  'ledger/accounts',
  'ledger/exchanges',
  'ledger/fees',
  'ledger/transfers',
  'tenancy/audit-log',
  'tenancy/environments',
  'tenancy/keys',
  'tenancy/people',
  'tenancy/sandbox',
  'tenancy/settings',
  'tenancy/verification',
] as const;

/** Folders below `src/`, the ground floor first. Those on one floor do not know each other. */
export const FLOORS: readonly (readonly string[])[] = [
  ['core/values'],
  ['core/rails'],
  ['core/deduplication'], // what is an IBAN tells two spellings of an account
  ['core'],
  [
    'platform/db/wire',
    'platform/db/embedded',
    'platform/http/openapi',
    'platform/http/request',
    'platform/tracing',
    'platform/vault',
    'platform/outbound',
    'platform/paper',
    'swift-mt',
  ],
  ['platform/db', 'platform/http/cache', 'platform/http/transfer', 'platform/http/version'],
  ['verify', 'platform/workers'], // `verify` checks what is made above: it must not know how
  ['platform/http', 'platform/backup', 'iso20022/read', 'iso20022/write'],
  SLICES,
  ['tenancy/sessions'],
  ['ledger/live-rates', 'ledger/statements', 'paying/recipients'],
  ['paying/payouts'], // a payout may book an exchange, and make its recipient
  ['paying/standing-orders', 'collecting/payments', 'collecting/cards'], // runs are payouts, and so are refunds
  ['collecting/checkout/html'],
  ['collecting/checkout'],
  ['bank/accounts', 'bank/payment-files', 'bank/reconciliation', 'bank/statements'], // payouts leave by it, payments come in by it
  ['bank/matching', 'bank/imports'],
  ['reports/history', 'reports/request-logs', 'reports/search', 'reports/summary'], // they read what all the others keep
  ['write'],
  ['config.ts'],
  ['operator'],
  ['server/dashboard'],
  ['server'],
  ['cli/remote'],
  ['cli'],
];

/** The wings: what a stranger sees first. A new one needs a decision record. */
export const WINGS = [
  'bank',
  'cli',
  'collecting',
  'core',
  'events',
  'iso20022',
  'ledger',
  'operator',
  'paying',
  'platform',
  'reports',
  'server',
  'swift-mt',
  'tenancy',
  'verify',
  'write',
] as const;

const floorOf = (folder: string): number => FLOORS.findIndex((folders) => folders.includes(folder));

/** `src/platform/db/wire/table.ts` → `db/wire`; a loose file of `src/` stands for itself. */
export function folderOf(path: string): string {
  const below = path.replace(/^src\//, '');
  return below.includes('/') ? below.slice(0, below.lastIndexOf('/')) : below;
}

/** Imports of a file that do not lead down. */
export function upwardImports({ path, imports }: Source): string[] {
  if (path.endsWith('.test.ts')) return []; // tests see everything
  const own = folderOf(path);
  if (floorOf(own) === -1) return [`${own} stands on no floor`];
  return imports
    .filter(({ target }) => target.startsWith('src/') && folderOf(target) !== own)
    .filter(({ target }) => floorOf(folderOf(target)) >= floorOf(own) || floorOf(folderOf(target)) === -1)
    .map(({ target }) => `imports ${target}, which is not on a lower floor`);
}

/** Circles in which files import each other, each as the names on it; type imports count. `nameOf` groups files. */
export function circles(files: readonly Source[], nameOf: (path: string) => string = (path) => path): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    if (path.endsWith('.test.ts')) continue;
    const targets = imports.filter(({ target }) => target.startsWith('src/')).map(({ target }) => nameOf(target));
    const known = edges.get(nameOf(path)) ?? new Set();
    for (const target of targets) if (target !== nameOf(path)) known.add(target);
    edges.set(nameOf(path), known);
  }
  const reached = new Map([...edges.keys()].map((name) => [name, reachableFrom(name, edges)]));
  const circular = [...edges.keys()].filter((name) => reached.get(name)?.has(name)).sort();
  const groups = circular.map((name) =>
    circular.filter((other) => reached.get(name)?.has(other) && reached.get(other)?.has(name)),
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

function reachableFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const next of edges.get(name) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

/** Files directly in `src/`, where only the settings live. */
export function looseFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => /^src\/[^/]+$/.test(path) && path !== 'src/config.ts');
}
