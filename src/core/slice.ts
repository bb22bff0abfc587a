/**
 * A slice as the write path sees it, in one value; the path is made of loops over these (`write/slices.ts`). Next:
 * `decision.ts`; a small slice to read: `ledger/transfers/slice.ts`.
 */
import type { Decision, Decisions, Reply } from './decision.ts';
import type { Draft } from './draft.ts';
import type { Stored, StoredKind } from './objects.ts';
import type { ReadSet } from './read-set.ts';
import type { Origin } from './state.ts';
import type { Refusal } from './values/errors.ts';

type NeedsOf<D> = D extends (draft: Draft, command: infer C) => Decision
  ? (need: ReadSet, command: C, origin: Origin) => void
  : never;

/** What the JSON of an answer may need beside the answer. */
export interface Rendering {
  /** The instant of the batch, environment clock. */
  readonly atMs: number;
  /** The text of another object that events show; rendered once a batch. */
  text(object: Reply): string;
  refused(refusal: Refusal): string;
}

type Answered<K> = Extract<Reply, { readonly object: K }>;

interface StoreOf<T> {
  read(row: Readonly<Record<string, unknown>>): T;
}

export interface Slice<D extends Decisions<D>> {
  readonly decisions: D;
  /** For each command. {@link nothing}: it is decided by what every batch has loaded. */
  readonly needs: { readonly [K in keyof D]: NeedsOf<D[K]> };
  /** Commands that may add to the audit log: the newest entry of their environment is loaded. */
  readonly audited?: readonly (keyof D)[];
  readonly tables?: { readonly [K in StoredKind]?: StoreOf<Stored[K]> };
  /** Objects as answers and events show them: the exact JSON that leaves the service. */
  readonly objects?: {
    readonly [K in Reply['object']]?: { render(object: Answered<K>, livemode: boolean): string };
  };
  /** The JSON of answers that no event shows. */
  readonly replies?: {
    readonly [K in Reply['object']]?: (reply: Answered<K>, livemode: boolean, rendering: Rendering) => string;
  };
}

export function slice<D extends Decisions<D>, S extends Omit<Slice<D>, 'decisions' | 'needs'>>(
  parts: { readonly decisions: D; readonly needs: Slice<NoInfer<D>>['needs'] } & S,
): Pick<Slice<D>, 'decisions' | 'needs'> & S {
  return parts;
}

export const nothing = (): void => undefined;

/** For kinds that no answer and no event shows. */
export const HIDDEN = { render: (): string => '{}' };
