/**
 * The pages of the documentation site: which Markdown file each comes from, in the order of the menu. A page has one source, the
 * file that a reader of the repository reads; nothing is copied by hand. Next: `stage.ts`, which reads them.
 */

export interface Page {
  /** From the root of the repository. */
  readonly source: string;
  /** Below `/docs/`, without an ending. */
  readonly path: string;
  /** In the menu; left out: the heading of the page. */
  readonly menu?: string;
}

export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

const page = (source: string, path: string, menu?: string): Page => ({ source, path, ...(menu && { menu }) });
const guide = (name: string, menu?: string): Page => page(`docs/guides/${name}.md`, `guides/${name}`, menu);
const doc = (name: string, menu?: string): Page => page(`docs/${name}.md`, name, menu);

/** Their tables need the width of the outline. */
export const WIDE: ReadonlySet<string> = new Set([
  'errors',
  'events',
  'settings',
  'sandbox',
  'guides/stuck-payout',
  'decisions/',
]);

export const HOME: Page = doc('index');

export const GROUPS: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      guide('first-payout'),
      guide('integrating'),
      doc('sandbox'),
      guide('going-live'),
      doc('features'),
      page('README.md', 'overview', 'Overview'),
    ],
  },
  {
    title: 'Pay',
    pages: [
      guide('recipients'),
      guide('exchanges'),
      guide('exchange-rates'),
      guide('bulk-payouts', 'Batches'),
      guide('standing-orders'),
      guide('approvals'),
      guide('fees'),
      guide('stuck-payout'),
    ],
  },
  {
    title: 'Be paid',
    pages: [
      doc('payment-links'),
      doc('card-payments'),
      guide('getting-paid'),
      guide('bank-reference'),
      guide('closing-a-month'),
    ],
  },
  {
    title: 'Build on it',
    pages: [
      guide('retries'),
      doc('errors'),
      doc('events'),
      doc('webhooks'),
      guide('statements'),
      page('examples/README.md', 'examples'),
    ],
  },
  {
    title: 'Run it',
    pages: [
      guide('installing'),
      guide('operating'),
      guide('operating/secrets'),
      guide('operating/database'),
      guide('operating/backups'),
      guide('operating/failover'),
      guide('operating/proxy'),
      guide('operating/watching'),
      guide('privacy'),
      doc('settings'),
      page('SECURITY.md', 'security'),
      guide('upgrading'),
      page('CHANGELOG.md', 'changelog'),
    ],
  },
];

/** Behind the pages of the reference. */
export const INSIDE: Group = {
  title: 'Inside',
  pages: [
    page('ARCHITECTURE.md', 'architecture'),
    page('docs/decisions/README.md', 'decisions/', 'Decisions'),
    page('CONTRIBUTING.md', 'contributing'),
    doc('releasing'),
    doc('dependencies'),
    page('bench/README.md', 'benchmarks', 'Benchmarks'),
  ],
};

const RECORDED = page('examples/interface.md', 'examples/interface');

/** Pages of docs/ that no group lists yet. `sources`: every Markdown file below it. */
export function unlisted(sources: readonly string[]): Group {
  const listed = new Set([HOME, ...[...GROUPS, INSIDE].flatMap(({ pages }) => pages)].map(({ source }) => source));
  const rest = sources.filter((source) => !listed.has(source) && !source.startsWith('docs/decisions/'));
  return { title: 'More', pages: rest.map((source) => page(source, source.slice('docs/'.length, -'.md'.length))) };
}

/** Every page: those of the menu, and those that only links lead to: recorded answers, and the decision records, whose own index is their menu. */
export function allPages(sources: readonly string[]): readonly Page[] {
  const records = sources
    .filter((source) => /^docs\/decisions\/\d{4}-/.test(source))
    .map((source) => page(source, source.slice('docs/'.length, -'.md'.length)));
  return [HOME, ...[...GROUPS, INSIDE, unlisted(sources)].flatMap(({ pages }) => pages), RECORDED, ...records];
}
