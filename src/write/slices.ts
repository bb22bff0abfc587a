/**
 * Where the slices meet: the path is made of loops over their values (`core/slice.ts`). A new slice is one line in the list; the
 * compiler names what it left out. Next: `ledger/transfers/slice.ts`, then its `decide.ts`.
 */
import { bankAccounts } from '../bank/accounts/slice.ts';
import { matching } from '../bank/matching/slice.ts';
import { paymentFiles } from '../bank/payment-files/slice.ts';
import { reconciliation } from '../bank/reconciliation/slice.ts';
import { bankStatements } from '../bank/statements/slice.ts';
import { payments } from '../collecting/payments/slice.ts';
import { type CommandOf, type Decided, decided, type Decision, type Reply } from '../core/decision.ts';
import { type Context, Draft } from '../core/draft.ts';
import type { EventObject, Stored, StoredKind } from '../core/objects.ts';
import type { ReadSet } from '../core/read-set.ts';
import type { Rendering } from '../core/slice.ts';
import type { Origin, State } from '../core/state.ts';
import { webhooks } from '../events/webhooks/slice.ts';
import { accounts } from '../ledger/accounts/slice.ts';
import { exchanges } from '../ledger/exchanges/slice.ts';
import { fees } from '../ledger/fees/slice.ts';
import { statements } from '../ledger/statements/slice.ts';
import { transfers } from '../ledger/transfers/slice.ts';
import { payouts } from '../paying/payouts/slice.ts';
import { recipients } from '../paying/recipients/slice.ts';
import { standingOrders } from '../paying/standing-orders/slice.ts';
import type { Table } from '../platform/db/wire/table.ts';
import { environments } from '../tenancy/environments/slice.ts';
import { keys } from '../tenancy/keys/slice.ts';
import { people } from '../tenancy/people/slice.ts';
import { sandbox } from '../tenancy/sandbox/slice.ts';
import { sessions } from '../tenancy/sessions/slice.ts';
import { settings } from '../tenancy/settings/slice.ts';

/** Statements of a batch are written in this order. */
const SLICES = [
  accounts,
  recipients,
  exchanges,
  payouts,
  webhooks,
  settings,
  payments,
  environments,
  keys,
  people,
  statements,
  standingOrders,
  bankAccounts,
  bankStatements,
  paymentFiles,
  matching,
  reconciliation,
  fees,
  sandbox,
  sessions,
  transfers,
] as const;

type Slice = (typeof SLICES)[number];
/** A part of the slices that have it, one type for each. */
type Part<Name extends string, S = Slice> = S extends { readonly [N in Name]: infer P } ? P : never;
type KeyOf<P> = P extends unknown ? keyof P : never;

export type Command = Part<'decisions'> extends infer D ? (D extends unknown ? CommandOf<D> : never) : never;

/** `T`, where nothing is missing; else the compiler names what no slice has. */
export type Complete<_Missing extends never, T> = T;
type Tables = Complete<Exclude<StoredKind, KeyOf<Part<'tables'>>>, { readonly [K in StoredKind]: Table<Stored[K]> }>;
type Objects = Complete<
  Exclude<EventObject['object'], KeyOf<Part<'objects'>>>,
  Record<string, { render(object: Reply, livemode: boolean): string } | undefined>
>;
type Replies = Complete<
  Exclude<Reply['object'], KeyOf<Part<'objects'>> | KeyOf<Part<'replies'>> | 'deleted'>,
  Record<string, (reply: Reply, livemode: boolean, rendering: Rendering) => string>
>;

const merged = (parts: readonly (object | undefined)[]): unknown => Object.assign({}, ...parts);
const DECISIONS = merged(SLICES.map(({ decisions }) => decisions)) as Record<
  Command['type'],
  (draft: Draft, command: Command) => Decision
>;
const NEEDS = merged(SLICES.map(({ needs }) => needs)) as Record<
  Command['type'],
  (need: ReadSet, command: Command, origin: Origin) => void
>;
const AUDITED: ReadonlySet<string> = new Set(
  SLICES.flatMap((each): readonly string[] => ('audited' in each ? each.audited : [])),
);
const OBJECTS = merged(SLICES.map((each) => ('objects' in each ? each.objects : undefined))) as Objects;
const REPLIES = merged([
  ...SLICES.map((each) => ('replies' in each ? each.replies : undefined)),
  {
    deleted: ({ id, kind }: Extract<Reply, { readonly object: 'deleted' }>) =>
      `{"id":"${id}","object":"${kind}","deleted":true}`,
  },
]) as Replies;

/** The table of every kind of object, in the order in which they are written. */
export const TABLES = merged(SLICES.map((each) => ('tables' in each ? each.tables : undefined))) as Tables;

export const isAudited = ({ type }: Command): boolean => AUDITED.has(type);

export const noteNeeds = (need: ReadSet, command: Command, origin: Origin): void =>
  NEEDS[command.type](need, command, origin);

/** Pure: the same command, state and context give the same decision. The state is not changed; see `apply`. */
export function decide(command: Command, state: State, context: Context): Decided {
  const draft = new Draft(state, context);
  return decided(draft, DECISIONS[command.type](draft, command));
}

/** The JSON of an object as events show it; `undefined` for answers with a form of their own. */
export const renderObject = (object: Reply, livemode: boolean): string | undefined =>
  OBJECTS[object.object]?.render(object, livemode);

export const renderAnswer = (reply: Reply, livemode: boolean, rendering: Rendering): string =>
  (REPLIES[reply.object] as Replies[string])(reply, livemode, rendering);
