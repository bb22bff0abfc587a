/**
 * What a file may import by what it is, as a table: decisions are pure, statements know no routes, and a package is used in the one place it
 * was taken for. How files are held to it: `imports.ts`. Which folder may import which: `floors.ts`.
 */
import { SLICES } from './floors.ts';

const slice = [
  ...SLICES,
  'ledger/statements',
  'paying/payouts',
  'paying/recipients',
  'paying/standing-orders',
  'collecting/payments',
  'collecting/checkout',
  'bank/accounts',
  'bank/matching',
  'bank/payment-files',
  'bank/reconciliation',
  'bank/statements',
  'reports/request-logs',
  'tenancy/sessions',
].join('|');

/** May a file of this place import that? */
export interface Place {
  readonly place: string;
  readonly files: RegExp;
  /** Paths below `src/`, packages and `node:` modules. `{own}` stands for the file's slice. */
  readonly may: readonly string[];
  /** Only as types. */
  readonly mayTypes?: readonly string[];
}

/** The first place that a file matches is its place. */
export const PLACES: readonly Place[] = [
  { place: 'ids and fingerprints', files: /^core\/values\/(?:ids|fingerprint)\.ts$/, may: ['node:crypto'] },
  { place: 'core', files: /^core\//, may: ['core/'] },
  // It decides about what statements reported, and payouts, payments and entries end there.
  {
    place: 'decisions of matching',
    files: /^bank\/matching\/(?:[a-z]+-)?decide\.ts$/,
    may: ['core/', 'bank/statements/', 'paying/payouts/(?:facts-)?decide.ts', 'collecting/payments/refund.ts'],
  },
  {
    place: 'decisions',
    files: new RegExp(`^(?:${slice})/(?:(?:[a-z]+-)?decide|batch|booking|redact|refund|conversion)\\.ts$`),
    may: [
      'core/',
      '{own}/',
      'paying/payouts/(?:facts-|payable-)?decide.ts',
      'collecting/payments/(?:expected-|void-)?decide.ts',
      'ledger/exchanges/conversion.ts',
      'paying/recipients/match-decide.ts',
      'iso20022/write/(?:identifiers|payable|profiles)\\.ts',
    ],
    mayTypes: ['paying/recipients/fields.ts', 'paying/payouts/fields.ts'],
  },
  {
    place: 'own bank accounts',
    files: /^bank\/accounts\/(?:fields|parameters)\.ts$/,
    may: [
      'core/',
      'platform/http/',
      '{own}/',
      'paying/recipients/(?:fields|parameters|address-parameters|bank-details)\\.ts',
    ],
  },
  // What a slice is to the write path.
  {
    place: 'values of slices',
    files: new RegExp(`^(?:${slice})/slice\\.ts$`),
    may: ['core/', '{own}/'],
    mayTypes: ['bank/statements/slice.ts'],
  },
  // The fields of an object, as everything that is made from them sees them.
  { place: 'objects', files: new RegExp(`^(?:${slice})/fields\\.ts$`), may: ['core/', '{own}/'] },
  // Events are stored in an encoding of their own.
  {
    place: 'statements of events',
    files: /^events\/log\/sql\.ts$/,
    may: ['core/', 'platform/db/wire/', '{own}/'],
    mayTypes: ['platform/vault/'],
  },
  {
    place: 'statements of pages',
    files: /^collecting\/checkout\/sql\.ts$/,
    may: ['core/', 'platform/db/wire/', 'collecting/payments/sql.ts'],
    mayTypes: ['collecting/payments/sealing.ts'],
  },
  {
    place: 'statements of accounts',
    files: /^ledger\/statements\/sql\.ts$/,
    may: ['core/', 'platform/db/wire/', 'ledger/transfers/sql.ts', '{own}/(?:fields|lines)\\.ts'],
  },
  // What of an object a stolen database must not show.
  { place: 'sealing', files: new RegExp(`^(?:${slice})/sealing\\.ts$`), may: ['{own}/', 'platform/vault/'] },
  {
    place: 'statements',
    files: new RegExp(`^(?:${slice})/sql\\.ts$`),
    may: ['core/', 'platform/db/wire/', '{own}/fields\\.ts'],
    mayTypes: ['collecting/payments/fields.ts'],
  },
  // They read what other slices keep, by the doors of these, and write nothing.
  {
    place: 'reports',
    files: /^reports\/(?:history|search)\//,
    may: [
      'core/',
      'platform/http/',
      'platform/db/wire/',
      '{own}/',
      '(?:events|ledger|paying|tenancy|collecting|bank)/[a-z-]+/(?:fields|schema|sql)\\.ts',
    ],
  },
  {
    place: 'codes for banking apps',
    files: /^collecting\/payments\/code-picture\.ts$/,
    may: ['core/', 'node:zlib', 'qrcode'],
  },
  {
    place: 'routes of matching',
    files: /^bank\/matching\/(?:[a-z-]+-)?routes\.ts$/,
    may: ['core/', 'platform/http/', '{own}/', 'bank/statements/', 'paying/payouts/routes.ts'],
  },
  {
    place: 'matching',
    files: /^bank\/matching\//,
    may: [
      'core/',
      'platform/db/wire/',
      'platform/http/slices.ts',
      '{own}/',
      'bank/statements/',
      'collecting/payments/',
    ],
    mayTypes: ['platform/vault/'],
  },
  // From files to commands.
  {
    place: 'imports',
    files: /^bank\/imports\//,
    may: [
      'core/',
      '{own}/',
      'bank/statements/(?:slice|fields)\\.ts',
      'iso20022/write/identifiers\\.ts',
      'platform/http/transfer/places\\.ts',
      'node:crypto',
    ],
    mayTypes: ['platform/db/wire/statement.ts', 'iso20022/read/', 'paying/payouts/facts-decide.ts'],
  },
  {
    place: 'wire',
    files: new RegExp(`^(?:${slice})/(?:[a-z]+-)?(?:schema|parameters)\\.ts$`),
    may: ['core/', 'platform/http/', 'platform/outbound/guard.ts', 'paying/recipients/match-parameters.ts', '{own}/'],
    mayTypes: ['platform/db/wire/statement.ts', 'ledger/exchanges/rate-source.ts', 'platform/vault/'],
  },
  {
    place: 'bank details',
    files: /^paying\/recipients\/(?:bank-details|iban-countries|requirements)\.ts$/,
    may: ['core/', '{own}/', 'ibantools'],
  },
  {
    place: 'forms of pages',
    files: /^collecting\/checkout\/csrf\.ts$/,
    may: ['core/', 'node:crypto'],
    mayTypes: ['platform/vault/'],
  },
  {
    place: 'pages',
    files: /^collecting\/checkout\/(?:card-)?(?:routes|checkout|view)\.ts$/,
    may: ['core/', 'platform/http/', 'collecting/payments/', 'collecting/cards/', '{own}/'],
    mayTypes: ['platform/db/wire/statement.ts'],
  },
  {
    place: 'rendering of pages',
    files: /^collecting\/checkout\/html\//,
    may: ['core/', 'collecting/checkout/html/', 'node:crypto', 'qrcode'],
    mayTypes: ['collecting/payments/fields.ts'],
  },
  {
    place: 'statements on paper',
    files: /^ledger\/statements\/pdf/,
    may: ['core/', '{own}/', 'platform/paper/', 'platform/workers/thread.ts', 'node:'],
  },
  { place: 'paper', files: /^platform\/paper\//, may: ['core/', '{own}/', 'node:', 'pdfkit'] },
  {
    place: 'receipts',
    files: /^collecting\/checkout\/receipt/,
    may: ['core/', '{own}/', 'collecting/checkout/html/', 'platform/paper/', 'platform/workers/thread.ts', 'node:'],
  },
  {
    place: 'routes',
    files: new RegExp(`^(?:${slice})/(?:(?:[a-z-]+-)?routes|examples|documents)\\.ts$`),
    may: ['core/', 'platform/http/', 'platform/db/wire/(?:page|keyed)\\.ts', 'iso20022/read/encoding\\.ts', '{own}/'],
    mayTypes: ['platform/db/wire/statement.ts', 'paying/payouts/routes.ts', 'platform/vault/'],
  },
  {
    place: 'acquirers',
    files: /^collecting\/cards\//,
    may: ['core/', '{own}/', 'platform/http/request/', 'platform/outbound/informational.ts', 'node:', 'undici'],
  },
  { place: 'retries', files: /^events\/webhooks\/retry\.ts$/, may: ['core/'] },
  // What people show to sign in, each kind by the package that was taken for it.
  { place: 'passkeys', files: /^tenancy\/sessions\/passkeys\.ts$/, may: ['core/', '@simplewebauthn/server'] },
  { place: 'codes', files: /^tenancy\/sessions\/codes\.ts$/, may: ['node:crypto', 'otpauth'] },
  // Guarded connections: an address is judged when it is resolved, and again once it is connected.
  {
    place: 'connections outward',
    files: /^platform\/outbound\//,
    may: ['platform/outbound/', 'core/values/', 'node:', 'undici'],
  },
  {
    place: 'deliveries over the wire',
    files: /^events\/webhooks\/send\.ts$/,
    may: ['platform/outbound/', 'core/values/version.ts', 'undici'],
    mayTypes: ['{own}/fields.ts'],
  },
  {
    place: 'signatures',
    files: /^events\/webhooks\/signature\.ts$/,
    may: ['core/values/assert.ts', 'platform/vault/', 'node:crypto'],
  },
  {
    place: 'spans of deliveries',
    files: /^events\/webhooks\/delivery-span\.ts$/,
    may: ['platform/tracing/'],
    mayTypes: ['{own}/'],
  },
  {
    place: 'tracing',
    files: /^platform\/tracing\//,
    may: ['core/values/version.ts', '{own}/', '@opentelemetry/api'],
    mayTypes: ['fastify'],
  },
  {
    place: 'gauges',
    files: /^events\/webhooks\/metrics\.ts$/,
    may: ['platform/http/metrics.ts', '{own}/fields.ts', 'prom-client'],
  },
  {
    place: 'gauges of banks',
    files: /^bank\/statements\/bank-metrics\.ts$/,
    may: ['platform/', 'prom-client'],
  },
  {
    place: 'live rates',
    files: /^ledger\/live-rates\//,
    may: ['core/', '{own}/', 'ledger/exchanges/', 'platform/', 'node:', 'saxes', 'undici'],
  },
  // What was asked, before and after it is masked.
  {
    place: 'request log',
    files: /^reports\/request-logs\/(?:log|masking)\.ts$/,
    may: ['core/', '{own}/', 'platform/http/', 'platform/db/wire/', 'platform/workers/', 'node:', 'prom-client'],
    mayTypes: ['fastify'],
  },
  {
    place: 'slice',
    files: new RegExp(`^(?:${slice})/`),
    may: [
      'core/',
      'platform/db/',
      '{own}/',
      'platform/http/transfer/(?:places|stream)\\.ts',
      'iso20022/write/',
      'collecting/payments/',
      'platform/vault/',
      'platform/workers/',
      'node:',
    ],
    mayTypes: [
      'platform/http/',
      'ledger/exchanges/rate-source.ts',
      'paying/payouts/facts-decide.ts',
      'paying/recipients/match-decide.ts',
    ],
  },
  // They read what every slice wrote, and write nothing that a slice owns.
  {
    place: 'reports',
    files: /^reports\//,
    may: ['core/', '{own}/', 'platform/', 'paying/payouts/sql.ts'],
    mayTypes: ['ledger/exchanges/rate-source.ts'],
  },
  // Recomputes the books: it must share nothing with what wrote them.
  { place: 'verify', files: /^verify\//, may: ['verify/', 'core/values/ids.ts', 'core/actor.ts', 'node:'] },
  {
    place: 'backups',
    files: /^platform\/backup\//,
    may: ['platform/', 'core/values/version.ts', 'node:', 'pg-copy-streams'],
    mayTypes: ['pg'],
  },
  {
    place: 'workers',
    files: /^platform\/workers\//,
    may: ['core/', 'platform/workers/', 'node:'],
    mayTypes: ['platform/db/wire/statement.ts'],
  },
  // The writer's own connection.
  { place: 'connection of the writer', files: /^write\/connector\.ts$/, may: ['write/', 'platform/'] },
  {
    place: 'write',
    files: /^write\//,
    may: [
      'write/',
      'core/',
      'platform/db/wire/',
      `(?:${slice})/(?:slice|fields|sql|schema|sealing)\\.ts`,
      'events/webhooks/delivery.ts',
      'platform/workers/stop-points.ts',
      'platform/tracing/tracing.ts',
      'node:crypto',
    ],
    mayTypes: ['platform/vault/'],
  },
  {
    place: 'http',
    files: /^platform\/http\//,
    may: [
      'platform/http/',
      'platform/tracing/',
      'core/',
      'platform/db/wire/',
      'node:',
      'fastify',
      'negotiator',
      'pino',
      'prom-client',
    ],
  },
  // Statement files: bytes in, facts out. It knows neither database nor HTTP.
  {
    place: 'readers of statement files',
    files: /^iso20022\/read\//,
    may: ['core/', 'iso20022/read/', 'swift-mt/', 'platform/workers/thread.ts', 'node:', 'saxes', 'yauzl'],
  },
  { place: 'messages of SWIFT', files: /^swift-mt\//, may: ['core/', 'swift-mt/'] },
  {
    place: 'writer of payment files',
    files: /^iso20022\/write\//,
    may: ['core/', 'iso20022/write/'],
  },
  { place: 'vault', files: /^platform\/vault\//, may: ['node:crypto'] },
  { place: 'db', files: /^platform\/db\//, may: ['platform/db/', 'core/', 'node:', 'pg'] },
];
