/**
 * Which test runs which blocks of code of the pages, and the few blocks that no test runs, with the reason. A runner takes its blocks from
 * here (`blocksRunBy`), so that this table cannot say what no runner does. `test/docs-blocks.test.ts` holds that every block has a row.
 * Runners named `*.soak.test.ts` or in `test/soak/` are of `npm run soak -- ci`, those in `test/long/` of `npm run soak -- long`: they start
 * servers, kill or wait. The others are of `npm test`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '../../tidy/source.ts';
import { type Block, blocksOf } from '../generators/blocks.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const ANY = /^/;

/** Pages for readers. Decisions show what was, not what to run. */
export const PAGES: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'client/README.md',
  'bench/README.md',
  ...filesIn(['docs', 'examples'], '.md').filter((page) => !page.startsWith('docs/decisions/')),
];

interface Row {
  readonly pages: RegExp;
  /** The first characters of the block. */
  readonly begins: RegExp;
  /** The test or script that runs it; or why nothing does. */
  readonly by?: string;
  readonly why?: string;
}

const by = (test: string, pages: RegExp, begins = ANY): Row => ({ pages, begins, by: test });
const not = (why: string, pages: RegExp, begins: RegExp): Row => ({ pages, begins, why });

const COMMANDS = 'test/long/commands-shown.test.ts';
/** What starts a PostgreSQL of its own, and long rows of commands that other tests of every change run too. */
const LONG_COMMANDS = 'test/long/commands.test.ts';
const GUIDES = 'examples/guides.test.ts';
const GOING_LIVE = 'test/long/going-live.test.ts';
const SHOWN = 'test/long/shown.test.ts';
const SETTINGS = 'examples/settings.test.ts';
const FETCHES = 'fetches a program from a registry';

/** The first row that fits counts. */
export const ROWS: readonly Row[] = [
  // By tests of whole pages.
  by('examples/interface.test.ts', /interface\.md$/),
  by('scripts/clients.ts', /clients\/(?:go|java|python)\.md$/, /^(?:package|import)/),
  not('test/long/package-verbs.test.ts packs the client, and uses what is in it', /clients\/typescript/, /^npm pack/),
  by('client/test/pages.test.ts', /clients\/(?:stripe|typescript)\.md$|client\/README/),
  by('client/test/pages.test.ts', /^README/, /^import \{ createClient/),
  by('test/openapi-types.test.ts', /integrating/, /^import type/),
  by('examples/webhooks.test.ts', /webhooks\.md$/, /^(?:POST|\/\*\*|""")/),
  by('examples/payment-links.test.ts', /payment-links/),
  by(GOING_LIVE, /going-live/),
  by(GOING_LIVE, /bank-reference/, /^(?:curl|sed)/),
  by(COMMANDS, /command-line/, /^(?:printf|bursar\(\))/),
  by(GUIDES, /^(?:README|docs)/, /^(?:curl|printf)/),
  by(GUIDES, /approvals/, /^export/),
  by('src/operator/database.test.ts', /operating/, /^CREATE ROLE/),
  by('test/long/remote-cli.test.ts', /^README/, /^bursar listen/),
  // By the shell, in a folder of its own.
  by(LONG_COMMANDS, /command-line/, /^bursar dev/),
  by(LONG_COMMANDS, /operating/, /^mkdir -m 700 new/),
  by(LONG_COMMANDS, /operating|CONTRIBUTING/, /^PGPASSWORD/),
  by(LONG_COMMANDS, /secrets/),
  by(COMMANDS, /bank-reference/, /^bursar/),
  by(COMMANDS, /^(?:README|docs)/, /^export /),
  by(COMMANDS, /command-line|stuck-payout|troubleshooting/),
  by(COMMANDS, /sandbox/, /^bursar demo/),
  by(COMMANDS, /bank-reference/, /^for /),
  by(COMMANDS, /closing-a-month/, /^bursar/),
  by(COMMANDS, /operating|privacy/, /^(?:bursar|mkdir|DATABASE_URL=… DATABASE_OWNER_URL=… BURSAR_SECRET_FILE)/),
  // By what reads such a thing.
  by(SETTINGS, /^docs/, /^(?:DATABASE_URL=|BURSAR_)/),
  by(SHOWN, /bulk-payouts|exchange-rates|fees|statements|integrating|webhooks/, /^(?:\{|"fees"|GET |amount,)/),
  by(SHOWN, /operating/, /^(?:UPDATE|synchronous_commit|listen postgresql|scrape_configs)/),
  by(SHOWN, /CONTRIBUTING/, /^SELECT/),
  by('test/soak/tracing.test.ts', /watching/, /^(?:import|NODE_OPTIONS)/),
  // By nothing.
  not('the drawing of a path, and a list of folders', /^ARCHITECTURE/, ANY),
  not(
    'the tests and tools themselves, and `.ci/run`, which starts the service so',
    /^(?:README|CONTRIBUTING|docs)/,
    /^npm start/,
  ),
  not('waits for a debugger', /^CONTRIBUTING/, /^node --inspect/),
  not('the long form of test/soak/ledger.property.test.ts', /^CONTRIBUTING/, /^npm run soak -- t1/),
  not('a minute of load for one profile; test/profile-top.test.ts reads one', /^CONTRIBUTING/, /^node --cpu-prof/),
  by('test/add-a-resource.test.ts', /^CONTRIBUTING/),
  not(
    'fetches what is published: test/long/package.test.ts installs and starts the packed file',
    /^(?:README|docs)/,
    /^(?:npx bursar start$|npm install --global bursar)/,
  ),
  not(
    'takes 25 minutes on a quiet machine; `npm run soak -- long bench` runs its quick form',
    /^bench/,
    /^npm run bench/,
  ),
  not(
    `${FETCHES}: scripts/clients.ts installs the same`,
    /clients\/(?:go|java|python)\.md$/,
    /^(?:go mod init|go install|pip install)/,
  ),
  not(
    `${FETCHES}: test/openapi-types.test.ts makes the types with the one that is locked`,
    /integrating/,
    /^npx openapi-typescript/,
  ),
  not(`${FETCHES}: test/soak/tracing.test.ts has the locked ones`, /watching/, /^npm install/),
  not(
    'needs a container engine, root or a cluster: test/long/package.test.ts runs their steps without',
    /installing/,
    /^(?:mkdir -p release|cd deploy|npm install --global --prefix|kubectl|for image)/,
  ),
  not(
    'needs systemd as root, a container engine or a cluster: test/backup-units.test.ts runs what they run',
    /operating/,
    /^(?:install -m 755|cp \/opt|docker compose|helm upgrade|kubectl)/,
  ),
  not('takes a minute: test/long/docs-site.test.ts builds and looks at the site', /installing/, /^npm run docs/),
  not(
    'the release itself: hours, and pushes to the origin',
    /releasing/,
    /^(?:\.ci\/run|git commit|npm run release|npx --yes)/,
  ),
];

export interface Shown {
  readonly page: string;
  readonly block: Block;
}

export const blocksIn = (page: string): readonly Shown[] => blocksOf(read(page)).map((block) => ({ page, block }));

export const rowOf = ({ page, block }: Shown): Row | undefined =>
  ROWS.find(({ pages, begins }) => pages.test(page) && begins.test(block.text));

/** In the order of the pages. */
export const blocksRunBy = (test: string): readonly Shown[] =>
  PAGES.flatMap(blocksIn).filter((shown) => rowOf(shown)?.by === test);

/** What a reader of a page pastes into a shell, from its top to its end. `isLong`: with what starts a PostgreSQL of its own. */
export const pastedOn = (page: string, isLong = false): readonly Shown[] =>
  blocksIn(page).filter((shown) => {
    const runner = rowOf(shown)?.by;
    return runner === GUIDES || runner === GOING_LIVE || runner === COMMANDS || (isLong && runner === LONG_COMMANDS);
  });
