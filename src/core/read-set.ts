/**
 * What the commands of a batch need to be decided, by kind. Each command of a slice says here what it needs (`slice.ts`); it is read in
 * one round trip (`write/load.ts`), or known already (`write/state-cache.ts`). Duplicates are harmless: loading twice is loading once.
 */
import type { Stored } from './objects.ts';
import type { Origin } from './state.ts';
import { idAs } from './values/ids.ts';

interface Key {
  readonly environmentId: string;
  readonly id: string;
}

export interface WantedStatement {
  readonly environmentId: string;
  readonly bankAccount: string;
  readonly identity: string;
  readonly series: string;
  readonly startsOn: string | null;
  readonly closedOn: string | null;
}

/** Of an entry, as details of it name it. In hex. */
export interface WantedMark {
  readonly environmentId: string;
  readonly bankAccount: string;
  readonly mark: string;
}

interface NewDetails {
  readonly environmentId: string;
  readonly recipient: string;
  readonly detailsIn: DetailsIn;
}
/** The bank details of a recipient after a command, in their stored form; none where the command is refused. */
type DetailsIn = (before: Stored['recipient']) => Readonly<Record<string, string>>;

/** Held by the state cache, or proved by COMMIT itself. Everything else must be loaded. */
const CACHEABLE: ReadonlySet<string> = new Set<keyof ReadSet>([
  'accounts',
  'recipients',
  'currencies',
  'externalIds',
  'records',
]);
/** Who asks and where; these are no objects to be read. */
const GIVEN: ReadonlySet<string> = new Set<keyof ReadSet | 'environmentId'>([
  'actors',
  'environments',
  'environmentId',
]);

class Keys {
  readonly accounts: Key[] = [];
  readonly apiKeys: Key[] = [];
  readonly statementFiles: Key[] = [];
  readonly bankEntries: Key[] = [];
  /** Details of entries that do not book. */
  readonly bankEntryDetails: Key[] = [];
  readonly paymentFiles: Key[] = [];
  readonly bankStatements: Key[] = [];
  /** Entries of a statement that wait. */
  readonly bankWaitingLines: Key[] = [];
  /** Batches, each with its payouts and their accounts. */
  readonly batches: Key[] = [];
  /** What a person is to be erased from: its past, and of a recipient the standing orders. */
  readonly erased: Key[] = [];
  readonly exchanges: Key[] = [];
  /** Expected payments, each with its account. */
  readonly expectedPayments: Key[] = [];
  /** The place of a payout in the payment file in which it leaves. */
  readonly instructions: Key[] = [];
  /** Links, each with its account and the payment it waits for. */
  readonly links: Key[] = [];
  /** Payments, each with its link and account. */
  readonly payments: Key[] = [];
  readonly payouts: Key[] = [];
  readonly quotes: Key[] = [];
  readonly recipients: Key[] = [];
  readonly settings: Key[] = [];
  readonly users: Key[] = [];
  /** Standing orders, each with its account and recipient. */
  readonly standingOrders: Key[] = [];
}
export type KeyKind = keyof Keys;
type SetOfEnvironments =
  | 'audited'
  | 'bankAccountsOf'
  | 'bankRulesOf'
  | 'endpointsOf'
  | 'familiesOf'
  | 'fillingOf'
  | 'keysOf'
  | 'limitsOf'
  | 'usersOf'
  | 'waitingOf';

export class ReadSet extends Keys {
  readonly sessions: { readonly environmentId: string; readonly session: string }[] = [];
  readonly externalIds: { readonly environmentId: string; readonly externalId: string }[] = [];
  readonly externalIdsOfBatches: { readonly environmentId: string; readonly externalId: string }[] = [];
  /** Keys of idempotency records. */
  readonly records: { readonly environmentId: string; readonly key: string }[] = [];
  readonly currencies = new Map<string, { readonly environmentId: string; readonly currency: string }>();
  /** Environments whose webhook endpoints are all needed: they are counted, and events are held against them. */
  readonly endpointsOf = new Set<string>();
  /** Environments whose files that are being filled are all needed. */
  readonly fillingOf = new Set<string>();
  /** Documents of banks by the hashes of their bytes. */
  readonly documents: { readonly environmentId: string; readonly sha256: string }[] = [];
  /** Statements that are to be imported, for those beside them. */
  readonly statements: WantedStatement[] = [];
  /** Marks of entries whose details are kept, each with the entry that has them. */
  readonly entryMarks: WantedMark[] = [];
  /** Creditor references that payers named: of payments, or of accounts. */
  readonly references: { readonly environmentId: string; readonly reference: string }[] = [];
  readonly bankAccountsOf = new Set<string>();
  /** Environments whose rules for bank entries are needed, with the accounts that they lead to. */
  readonly bankRulesOf = new Set<string>();
  /** Environments in which a second person decides: the keys and users of whoever asked for what is loaded, and of who approved it. */
  readonly familiesOf = new Set<string>();
  /** Environments that may get their first limit: what limits count is looked up there as well. */
  readonly limitsOf = new Set<string>();
  /** Environments in which waiting payouts may get their money, or may have to stand in line from now on: what older ones need. */
  readonly waitingOf = new Set<string>();
  /** Bank details that a recipient gets: what limits count of that account. */
  readonly newDetails: NewDetails[] = [];
  /** Bank details of payees, for the recipients that have their accounts. */
  readonly payees: { readonly environmentId: string; readonly details: Readonly<Record<string, string>> }[] = [];
  /** Environments whose working keys are all needed: they are counted. */
  readonly keysOf = new Set<string>();
  /** Environments whose users are all needed: administrators are counted, and addresses compared. */
  readonly usersOf = new Set<string>();
  readonly audited = new Set<string>();
  /** Environments in which accounts may be closed, once for each: one more candidate for the oldest open one. */
  readonly closes: string[] = [];
  readonly environments = new Set<string>();
  /** Who asks, and the lines they descend from: limits may be about them. */
  readonly actors = new Set<string>();
  /** That of the command which says now what it needs. */
  private environmentId = '';

  /** What is needed from here on is needed of this environment. */
  begin(environmentId: string, { actor, lineage = [] }: Pick<Origin, 'actor' | 'lineage'>): void {
    this.environmentId = environmentId;
    this.environments.add(environmentId);
    this.actors.add(actor);
    for (const line of lineage) this.actors.add(line);
  }

  get environmentIds(): readonly string[] {
    return [...this.environments];
  }

  /** Whether the state cache may hold all of it: accounts and recipients, and of a currency only the oldest account. */
  get areCacheable(): boolean {
    for (const name in this) {
      const set = this[name] as readonly unknown[] | ReadonlySet<unknown>;
      if (CACHEABLE.has(name) || GIVEN.has(name)) continue;
      if ((Array.isArray(set) ? set.length : (set as ReadonlySet<unknown>).size) > 0) return false;
    }
    return true;
  }

  /** Objects by id. `null` is none. */
  keys(kind: KeyKind, ...ids: readonly (string | null)[]): void {
    for (const id of ids) if (id !== null) this[kind].push({ environmentId: this.environmentId, id });
  }

  ownSettings(): void {
    this.keys('settings', this.environmentId);
  }

  all(of: SetOfEnvironments): void {
    this[of].add(this.environmentId);
  }

  detailsOf(recipient: string, detailsIn: DetailsIn): void {
    this.newDetails.push({ environmentId: this.environmentId, recipient, detailsIn });
  }

  payee(details: Readonly<Record<string, string>>): void {
    this.payees.push({ environmentId: this.environmentId, details });
  }

  /** The named account, or the oldest open one of the currency. */
  account(id: string | null, currency: string | null): void {
    if (id !== null) this.keys('accounts', id);
    else if (currency !== null) {
      const { environmentId } = this;
      this.currencies.set(`${environmentId} ${currency}`, { environmentId, currency });
    }
  }

  closing(account: string): void {
    this.closes.push(this.environmentId);
    this.keys('accounts', account);
  }

  record(key: string): void {
    this.records.push({ environmentId: this.environmentId, key });
  }

  externalId(of: 'externalIds' | 'externalIdsOfBatches', externalId: string | null | undefined): void {
    if (typeof externalId === 'string') this[of].push({ environmentId: this.environmentId, externalId });
  }

  /** The payment of a session at an acquirer. */
  session(session: string | null): void {
    if (session !== null) this.sessions.push({ environmentId: this.environmentId, session });
  }

  document(sha256: string): void {
    this.documents.push({ environmentId: this.environmentId, sha256 });
  }

  /** The statements beside this one. */
  statement(wanted: Omit<WantedStatement, 'environmentId'>): void {
    this.statements.push({ environmentId: this.environmentId, ...wanted });
  }

  marksOf(bankAccount: string, marks: readonly string[]): void {
    for (const mark of marks) this.entryMarks.push({ environmentId: this.environmentId, bankAccount, mark });
  }

  referencesOf(references: readonly string[]): void {
    for (const reference of references) this.references.push({ environmentId: this.environmentId, reference });
  }

  /** Payouts that a bank reports on or gets, each with its place in a file. */
  reported(payouts: readonly string[]): void {
    for (const id of payouts) {
      this.keys('payouts', id);
      this.keys('instructions', idAs('bi', id));
    }
  }
}
