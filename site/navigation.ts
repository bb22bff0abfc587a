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
  /** Below its own pages. */
  readonly groups?: readonly Group[];
}

const page = (source: string, path: string, menu?: string): Page => ({ source, path, ...(menu && { menu }) });
const guide = (name: string, menu?: string): Page => page(`docs/guides/${name}.md`, `guides/${name}`, menu);
const doc = (name: string, menu?: string): Page => page(`docs/${name}.md`, name, menu);

/** Classes of pages whose tables need the width of the outline; `compared`: each cell needs the head of its column, on a phone too. */
export const CLASSES: Readonly<Record<string, string>> = {
  errors: 'wide',
  events: 'wide',
  settings: 'wide',
  'dashboard-operations': 'wide',
  sandbox: 'wide',
  glossary: 'wide',
  comparison: 'wide compared',
  moving: 'wide compared',
  'guides/stuck-payout': 'wide',
  'decisions/': 'wide',
};

export const HOME: Page = doc('index');

/** By the role of the reader. */
const GROUPS: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      guide('first-payout'),
      doc('concepts'),
      doc('sandbox'),
      doc('features'),
      doc('comparison'),
      doc('faq'),
      doc('glossary'),
      doc('troubleshooting'),
      guide('dashboard'),
      doc('dashboard-operations'),
      page('README.md', 'overview', 'Overview'),
    ],
  },
  {
    title: 'Integrate',
    pages: [guide('integrating'), guide('retries'), doc('errors'), doc('versions'), doc('additions'), doc('moving')],
    groups: [
      {
        title: 'Pay',
        pages: [
          guide('recipients'),
          guide('exchanges'),
          guide('bulk-payouts', 'Batches'),
          guide('standing-orders'),
          guide('approvals'),
          guide('fees'),
          guide('stuck-payout'),
        ],
      },
      {
        title: 'Be paid',
        pages: [doc('payment-links'), doc('card-payments'), guide('getting-paid')],
      },
      {
        title: 'Follow and report',
        pages: [doc('webhooks'), doc('events'), guide('statements'), page('examples/README.md', 'examples')],
      },
      {
        title: 'Clients',
        pages: [
          doc('clients/typescript'),
          doc('clients/python'),
          doc('clients/go'),
          doc('clients/java'),
          doc('clients/stripe', 'The stripe package'),
          guide('command-line'),
        ],
      },
    ],
  },
  {
    title: 'Operate',
    pages: [
      guide('installing'),
      doc('sizing'),
      guide('operating'),
      guide('operating/secrets'),
      guide('operating/database'),
      guide('operating/backups'),
      guide('operating/failover'),
      guide('operating/proxy'),
      guide('operating/dashboard'),
      guide('operating/watching'),
      doc('settings'),
      guide('privacy'),
      page('SECURITY.md', 'security'),
      guide('upgrading'),
      page('CHANGELOG.md', 'changelog'),
    ],
    groups: [
      {
        title: 'Money and your bank',
        pages: [guide('going-live'), guide('bank-reference'), guide('exchange-rates'), guide('closing-a-month')],
      },
    ],
  },
];

const INSIDE: Group = {
  title: 'Contribute',
  pages: [
    page('CONTRIBUTING.md', 'contributing'),
    page('ARCHITECTURE.md', 'architecture'),
    page('docs/decisions/README.md', 'decisions/', 'Decisions'),
    doc('promises'),
    page('bench/README.md', 'benchmarks', 'Benchmarks'),
    doc('dependencies'),
    doc('releasing'),
  ],
};

const RECORDED = page('examples/interface.md', 'examples/interface');

const pagesIn = ({ pages, groups = [] }: Group): readonly Page[] => [...pages, ...groups.flatMap(pagesIn)];

/** Pages of docs/ that no group lists yet. `sources`: every Markdown file below it. */
export function unlisted(sources: readonly string[]): Group {
  const listed = new Set([HOME, ...[...GROUPS, INSIDE].flatMap(pagesIn)].map(({ source }) => source));
  const rest = sources.filter((source) => !listed.has(source) && !source.startsWith('docs/decisions/'));
  return { title: 'More', pages: rest.map((source) => page(source, source.slice('docs/'.length, -'.md'.length))) };
}

/** The groups of the menu, in its order. */
export function menuGroups(sources: readonly string[]): readonly Group[] {
  const more = unlisted(sources);
  return [...GROUPS, ...(more.pages.length > 0 ? [more] : []), INSIDE];
}

/** Every page: those of the menu, and those that only links lead to: recorded answers, and the decision records, whose own index is their menu. */
export function allPages(sources: readonly string[]): readonly Page[] {
  const records = sources
    .filter((source) => /^docs\/decisions\/\d{4}-/.test(source))
    .map((source) => page(source, source.slice('docs/'.length, -'.md'.length)));
  return [HOME, ...menuGroups(sources).flatMap(pagesIn), RECORDED, ...records];
}
