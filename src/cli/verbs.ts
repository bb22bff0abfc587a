/**
 * The verbs of `bursar`: a line of help each, and the file that is imported when the verb is called, and only then, because the command
 * line has to start in a fifth of a second. A new verb is a file with a `Command` and a line here. Next: `bursar.ts`.
 */
import type { Command } from 'commander';

export interface Verb {
  readonly help: string;
  readonly load: () => Promise<Command>;
}
type Verbs = Readonly<Record<string, Verb>>;

export const VERBS: Verbs = {
  ...inFiles({
    start: ['start the service', () => import('./server.ts')],
    dev: ['start the service with a filled sandbox', () => import('./dev.ts')],
    // On the database.
    migrate: ['make or update the tables', () => import('./migrate.ts')],
    doctor: ['look for faults of this installation, and say how to mend them', () => import('./doctor.ts')],
    keys: ['make, list, revoke and roll API keys', () => import('./keys.ts')],
    dashboard: ['let people into the dashboard, and sign them out', () => import('./dashboard.ts')],
    audit: ['read and check the audit log', () => import('./audit.ts')],
    export: ['write out everything stored about a person', () => import('./person.ts')],
    redact: ['erase a person', () => import('./person.ts')],
    restored: ['tell a database that it was restored from a backup', () => import('./restore.ts')],
    secret: ['replace the server secret by a new one', () => import('./secret.ts')],
    verify: ['recompute the books, and say where they do not agree', () => import('./verify.ts')],
    rebuild: ['make the daily sums of the summary anew', () => import('./verify.ts')],
    backup: ['copy the database into one file', () => import('./backup.ts')],
    restore: ['fill an empty database from a backup', () => import('./restore.ts')],
    // On a running server, with its address and a key (`remote/`).
    login: ['save address and key of a server as a profile', () => import('./remote/raw.ts')],
  }),
  ...resource('accounts', 'accounts and their balances'),
  ...resource('recipients', 'whom you pay'),
  payouts: {
    help: 'payouts, one by one or from a CSV file; `why` says what one waits for',
    load: async () => {
      const { batchCommand } = await import('./remote/batch.ts');
      const { whyCommand } = await import('./remote/why.ts');
      return (await resourceOf('payouts')).addCommand(batchCommand()).addCommand(whyCommand());
    },
  },
  ...resource('exchanges', 'currency exchange'),
  ...resource('links', 'payment links'),
  events: {
    help: 'events, in order; `tail` follows them',
    load: async () => {
      const { tailCommand } = await import('./remote/listen.ts');
      return (await resourceOf('events')).addCommand(tailCommand());
    },
  },
  ...resource('endpoints', 'webhook endpoints'),
  ...inFiles({
    listen: ['forward events to an address of your own, signed like deliveries', () => import('./remote/listen.ts')],
    demo: ['fill a sandbox with three months of a small company', () => import('./remote/demo.ts')],
    trigger: ['make an event happen in the sandbox', () => import('./remote/trigger.ts')],
    get: ['GET any path of the API', () => import('./remote/raw.ts')],
    post: ['POST to any path of the API', () => import('./remote/raw.ts')],
    stats: ['where the environment stands', () => import('./remote/stats.ts')],
    bank: ['payment files out and statement files in', () => import('./bank.ts')],
  }),
  completion: {
    help: 'completion for bash, zsh or fish',
    load: async () => {
      const others = () => Promise.all(Object.values(VERBS).map(({ load }) => load()));
      return (await import('./remote/completion.ts')).completionCommand(others);
    },
  },
};

/** The file of the verb `keys` exports `keysCommand`. */
function inFiles<N extends string>(
  rows: {
    readonly [K in N]: readonly [help: string, file: () => Promise<Readonly<Record<`${K}Command`, () => Command>>>];
  },
): Readonly<Record<N, Verb>> {
  const entries = (Object.keys(rows) as N[]).map((name): [string, Verb] => {
    const [help, file] = rows[name];
    return [name, { help, load: async () => (await file())[`${name}Command`]() }];
  });
  return Object.fromEntries(entries) as Record<N, Verb>;
}

async function resourceOf(name: string): Promise<Command> {
  return (await import('./remote/resources.ts')).resourceCommand(name, VERBS[name]?.help ?? '');
}

function resource(name: string, help: string): Verbs {
  return { [name]: { help, load: () => resourceOf(name) } };
}
