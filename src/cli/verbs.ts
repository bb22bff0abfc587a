/**
 * The verbs of `bursar`: a line of help each, and the file that is imported when the verb is called, and only then, because the command
 * line has to start in a fifth of a second. A new verb is a file with a `Command` and a line here. Next: `bursar.ts`.
 */
import type { Command } from 'commander';

export interface Verb {
  readonly help: string;
  readonly load: () => Promise<Command>;
}

export const VERBS: Readonly<Record<string, Verb>> = {
  start: {
    help: 'start the service',
    load: async () => (await import('./server.ts')).startCommand(),
  },
  dev: {
    help: 'start the service with a filled sandbox',
    load: async () => (await import('./dev.ts')).devCommand(),
  },
  // On the database.
  migrate: {
    help: 'make or update the tables',
    load: async () => (await import('./migrate.ts')).migrateCommand(),
  },
  doctor: {
    help: 'look for faults of this installation, and say how to mend them',
    load: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  keys: {
    help: 'make, list, revoke and roll API keys',
    load: async () => (await import('./keys.ts')).keysCommand(),
  },
  audit: {
    help: 'read and check the audit log',
    load: async () => (await import('./audit.ts')).auditCommand(),
  },
  export: {
    help: 'write out everything stored about a person',
    load: async () => (await import('./person.ts')).exportCommand(),
  },
  redact: {
    help: 'erase a person',
    load: async () => (await import('./person.ts')).redactCommand(),
  },
  restored: {
    help: 'tell a database that it was restored from a backup',
    load: async () => (await import('./restore.ts')).restoredCommand(),
  },
  secret: {
    help: 'replace the server secret by a new one',
    load: async () => (await import('./secret.ts')).secretCommand(),
  },
  verify: {
    help: 'recompute the books, and say where they do not agree',
    load: async () => (await import('./verify.ts')).verifyCommand(),
  },
  backup: {
    help: 'copy the database into one file',
    load: async () => (await import('./backup.ts')).backupCommand(),
  },
  restore: {
    help: 'fill an empty database from a backup',
    load: async () => (await import('./restore.ts')).restoreCommand(),
  },
  // On a running server, with its address and a key (`remote/`).
  login: {
    help: 'save address and key of a server as a profile',
    load: async () => (await import('./remote/raw.ts')).loginCommand(),
  },
  ...resource('accounts', 'accounts and their balances'),
  ...resource('recipients', 'whom you pay'),
  payouts: {
    help: 'payouts, one by one or from a CSV file; `why` says what one waits for',
    load: async () => {
      const { batchCommand } = await import('./remote/batch.ts');
      const { whyCommand } = await import('./remote/why.ts');
      const { asTyped } = await import('../operator/program-name.ts');
      const payouts = (await import('./remote/resources.ts')).resourceCommand('payouts');
      return payouts.addCommand(batchCommand()).addCommand(whyCommand(asTyped));
    },
  },
  ...resource('exchanges', 'currency exchange'),
  ...resource('links', 'payment links'),
  events: {
    help: 'events, in order; `tail` follows them',
    load: async () => {
      const { tailCommand } = await import('./remote/listen.ts');
      return (await import('./remote/resources.ts')).resourceCommand('events').addCommand(tailCommand());
    },
  },
  ...resource('endpoints', 'webhook endpoints'),
  listen: {
    help: 'forward events to an address of your own, signed like deliveries',
    load: async () => (await import('./remote/listen.ts')).listenCommand(),
  },
  trigger: {
    help: 'make an event happen in the sandbox',
    load: async () => (await import('./remote/trigger.ts')).triggerCommand(),
  },
  get: {
    help: 'GET any path of the API',
    load: async () => (await import('./remote/raw.ts')).getCommand(),
  },
  post: {
    help: 'POST to any path of the API',
    load: async () => (await import('./remote/raw.ts')).postCommand(),
  },
  stats: {
    help: 'where the environment stands',
    load: async () => (await import('./remote/stats.ts')).statsCommand(),
  },
  bank: {
    help: 'payment files out and statement files in',
    load: async () => (await import('./bank.ts')).bankCommand(),
  },
  completion: {
    help: 'completion for bash, zsh or fish',
    load: async () => {
      const others = () => Promise.all(Object.values(VERBS).map(({ load }) => load()));
      return (await import('./remote/completion.ts')).completionCommand(others);
    },
  },
};

function resource(name: string, help: string): Readonly<Record<string, Verb>> {
  return { [name]: { help, load: async () => (await import('./remote/resources.ts')).resourceCommand(name) } };
}
