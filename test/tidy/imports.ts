/**
 * What a file may import by what it is: decisions are pure, statements know no routes, and a package is used in the one
 * place it was taken for. Which folder may import which: `floors.ts`. Next: ARCHITECTURE.md, where to find things.
 */
import { SLICES } from './floors.ts';
import type { Import, Source } from './source.ts';

const slice = [
  ...SLICES,
  'exchanges',
  'payments',
  'standing-orders',
  'statements',
  'bank',
  'bank-files',
  'bank-statements',
  'checkout',
].join('|');

/** May a file of this place import that? */
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
  { place: 'ids', files: /^core\/ids\.ts$/, may: ['node:crypto'] },
  { place: 'core', files: /^core\//, may: ['core/'] },
  {
    place: 'decisions',
    files: new RegExp(`^(?:${slice})/(?:(?:[a-z]+-)?decide|batch|booking|redact|refund|conversion|commands)\\.ts$`),
    may: [
      'core/',
      '{own}/',
      'payouts/(?:facts-|payable-)?decide.ts',
      'payments/(?:expected-)?decide.ts',
      'payments/refund.ts',
      'exchanges/conversion.ts',
      'iso20022/write/(?:identifiers|payable|paying-bank|profiles)\\.ts',
    ],
    mayTypes: ['recipients/fields.ts', 'payouts/fields.ts'],
  },
  {
    place: 'own bank accounts',
    files: /^bank\/(?:fields|parameters)\.ts$/,
    may: ['core/', 'http/', '{own}/', 'recipients/(?:fields|parameters|address-parameters|bank-details)\\.ts'],
  },
  // The fields of an object, as everything that is made from them sees them.
  { place: 'objects', files: new RegExp(`^(?:${slice})/fields\\.ts$`), may: ['core/', '{own}/'] },
  {
    place: 'statements of pages',
    files: /^checkout\/sql\.ts$/,
    may: ['core/', 'db/wire/', 'payments/sql.ts'],
    mayTypes: ['payments/sealing.ts'],
  },
  {
    place: 'statements of accounts',
    files: /^statements\/sql\.ts$/,
    may: ['core/', 'db/wire/', 'transfers/sql.ts', '{own}/(?:fields|lines)\\.ts'],
  },
  // What of an object a stolen database must not show.
  { place: 'sealing', files: new RegExp(`^(?:${slice})/sealing\\.ts$`), may: ['{own}/', 'vault/'] },
  {
    place: 'statements',
    files: new RegExp(`^(?:${slice})/sql\\.ts$`),
    may: ['core/', 'db/wire/', '{own}/fields\\.ts'],
    mayTypes: ['payments/fields.ts', 'vault/'],
  },
  {
    place: 'codes for banking apps',
    files: /^payments\/expected-routes\.ts$/,
    may: ['core/', 'http/', '{own}/', 'qrcode'],
  },
  // Its answer is a payout.
  {
    place: 'payouts ended by hand',
    files: /^bank-statements\/resolve-routes\.ts$/,
    may: ['http/', '{own}/', 'payouts/routes.ts'],
  },
  { place: 'settings on the wire', files: /^settings\/parameters\.ts$/, may: ['core/', 'http/', 'ibantools'] },
  {
    place: 'wire',
    files: new RegExp(`^(?:${slice})/(?:[a-z]+-)?(?:schema|parameters)\\.ts$`),
    may: ['core/', 'http/', '{own}/'],
    mayTypes: ['db/wire/statement.ts', 'exchanges/rate-source.ts', 'vault/'],
  },
  {
    place: 'bank details',
    files: /^recipients\/(?:bank-details|iban-countries|check-digits|requirements)\.ts$/,
    may: ['core/', '{own}/', 'ibantools'],
  },
  { place: 'forms of pages', files: /^checkout\/csrf\.ts$/, may: ['core/', 'node:crypto'], mayTypes: ['vault/'] },
  {
    place: 'pages',
    files: /^checkout\/(?:card-)?(?:routes|checkout|view)\.ts$/,
    may: ['core/', 'http/', 'payments/', 'cards/', '{own}/'],
    mayTypes: ['db/wire/statement.ts'],
  },
  {
    place: 'rendering of pages',
    files: /^checkout\/html\//,
    may: ['core/', 'checkout/html/', 'node:crypto', 'qrcode'],
    mayTypes: ['payments/fields.ts'],
  },
  { place: 'statements on paper', files: /^statements\/pdf/, may: ['core/', '{own}/', 'threads/', 'node:', 'pdfkit'] },
  {
    place: 'routes',
    files: new RegExp(`^(?:${slice})/(?:(?:[a-z-]+-)?routes|examples|documents)\\.ts$`),
    may: ['core/', 'http/', 'db/wire/(?:page|keyed)\\.ts', '{own}/'],
    mayTypes: ['db/wire/statement.ts', 'payouts/routes.ts', 'vault/'],
  },
  {
    place: 'acquirers',
    files: /^cards\//,
    may: ['core/', '{own}/', 'http/request/', 'node:', 'undici'],
  },
  { place: 'retries', files: /^webhooks\/retry\.ts$/, may: ['core/'] },
  { place: 'addresses', files: /^webhooks\/addresses\.ts$/, may: [] },
  {
    place: 'deliveries over the wire',
    files: /^webhooks\/(?:lookup|guard|connect|send)\.ts$/,
    may: ['webhooks/(?:addresses|lookup|guard|connect)\\.ts', 'core/version.ts', 'core/url.ts', 'node:', 'undici'],
    mayTypes: ['core/private-targets.ts', 'webhooks/fields.ts'],
  },
  {
    place: 'signatures',
    files: /^webhooks\/(?:signature|secrets)\.ts$/,
    may: ['core/assert.ts', 'webhooks/secrets.ts', 'vault/', 'node:crypto'],
  },
  { place: 'gauges', files: /^webhooks\/metrics\.ts$/, may: ['http/metrics.ts', 'prom-client'] },
  {
    place: 'documents of rates',
    files: /^exchanges\/(?:ecb|rate-pointers|rates-document)\.ts$/,
    may: ['core/', 'http/request/', '{own}/', 'saxes'],
  },
  {
    place: 'slice',
    files: new RegExp(`^(?:${slice})/`),
    may: ['core/', 'db/', '{own}/', 'http/stream.ts', 'iso20022/write/', 'payments/', 'vault/', 'workers/', 'node:'],
    mayTypes: ['http/', 'exchanges/rate-source.ts', 'iso20022/read/', 'payouts/facts-decide.ts'],
  },
  // Recomputes the books: it must share nothing with what wrote them.
  { place: 'verification', files: /^verify\//, may: ['verify/', 'core/(?:ids|actor)\\.ts', 'node:'] },
  {
    place: 'backups',
    files: /^backup\//,
    may: ['backup/', 'core/version\\.ts', 'db/', 'workers/stop-points.ts', 'node:', 'pg-copy-streams'],
    mayTypes: ['pg'],
  },
  {
    place: 'workers',
    files: /^workers\//,
    may: ['workers/', 'node:diagnostics_channel'],
    mayTypes: ['db/wire/statement.ts'],
  },
  {
    place: 'write',
    files: /^write\//,
    may: [
      'write/',
      'core/',
      'db/wire/',
      `(?:${slice})/(?:commands|decide|fields|sql|(?:[a-z]+-)?schema|sealing)\\.ts`,
      'webhooks/delivery.ts',
      'workers/stop-points.ts',
      'node:crypto',
    ],
    mayTypes: ['vault/'],
  },
  {
    place: 'http',
    files: /^http\//,
    may: ['http/', 'core/', 'db/wire/', 'node:', 'fastify', 'pino', 'prom-client'],
  },
  // Bank files: bytes in, facts out. It knows neither database nor HTTP.
  {
    place: 'readers of bank files',
    files: /^iso20022\/read\//,
    may: ['core/', 'iso20022/read/', 'threads/', 'node:', 'saxes', 'yauzl'],
  },
  {
    place: 'writer of payment files',
    files: /^iso20022\/write\//,
    may: ['core/', 'iso20022/write/', 'node:crypto'],
  },
  { place: 'threads', files: /^threads\//, may: ['node:'] },
  { place: 'vault', files: /^vault\//, may: ['node:crypto'] },
  { place: 'db', files: /^db\//, may: ['db/', 'core/', 'node:', 'pg'] },
];

/** Composition and entry points see everything below them; tests too. */
const FREE = /^(?:config\.ts$|process\/|cli\/)|\.test\.ts$/;

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
  const fits = (patterns: readonly string[] = []) =>
    patterns.some((pattern) => patternOf(pattern, own).test(nameOf(target)));
  return fits(place.may) || (typeOnly && fits(place.mayTypes));
}

const nameOf = (target: string): string => (target.startsWith('src/') ? target.slice(4) : target);

const patternOf = (pattern: string, own: string): RegExp =>
  new RegExp(`^${pattern.replace('{own}', own)}${/[/:]$/.test(pattern) ? '' : '$'}`);

/** Permissions that no file makes use of: a table that allows what nobody does tells nothing. */
export function unusedPermissions(files: readonly Source[], places: readonly Place[] = PLACES): string[] {
  return places.flatMap(({ place, may, mayTypes = [] }) => {
    const targets = files
      .filter(({ path }) => placeOf(path)?.place === place)
      .flatMap(({ path, imports }) => imports.map(({ target }) => ({ target, own: path.split('/')[1] as string })));
    return [...may, ...mayTypes]
      .filter((pattern) => !targets.some(({ target, own }) => patternOf(pattern, own).test(nameOf(target))))
      .map((pattern) => `${place} may import ${pattern}, and nothing of it does`);
  });
}

/** The files that decisions are made of: `core/`, every decision, and what those import at run time. */
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
