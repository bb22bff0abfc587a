/**
 * Tests of decisions, read as they are said: `given(account(), recipient()).when(command).thenAccepts({…})`, or
 * `.thenRefuses('balance_insufficient')`. The state is built from literals, the instant is fixed, ids count up: no mock,
 * no clock, no database. What is given is frozen, so that a decision that changes it fails. Next: `literals.ts`.
 */
import { expect } from 'vitest';
import type { Audited } from '../../../src/core/audit.ts';
import type { Decided, Reply } from '../../../src/core/decision.ts';
import type { Code, ErrorDetails, Refusal } from '../../../src/core/values/errors.ts';
import { houseOf } from '../../../src/core/house-accounts.ts';
import type { Event, StoredObject } from '../../../src/core/objects.ts';
import type { Transfer } from '../../../src/core/transfer.ts';
import { apply, type Change, type Origin, State } from '../../../src/core/state.ts';
import { type Command, decide, renderObject } from '../../../src/write/slices.ts';
import { AT, BEFORE, environment, seededIds } from './literals.ts';

const NOBODY = { actor: 'worker' as const, requestId: null, idempotencyKey: null };

/** What an accepted command is expected to do. What is left out is not looked at. */
export interface Expected {
  /** Members of the reply. */
  readonly reply?: object;
  /** Every transfer, in order: who pays, who receives, how much, why. House accounts by kind. */
  readonly transfers?: readonly (readonly [debit: string, credit: string, amount: bigint, cause: string])[];
  /** Every event, in order. */
  readonly events?: readonly string[];
  /** Objects as they are afterwards, by id; members of each. */
  readonly now?: Readonly<Record<string, object>>;
}

/** The environment of every test: a sandbox that has seen 41 events. */
const ENVIRONMENT = environment(41n, BEFORE);

export const given = (...objects: readonly StoredObject[]): Given => givenAt(AT, ...objects);

/** The same at another instant. */
export function givenAt(atMs: number, ...objects: readonly StoredObject[]): Given {
  const state = new State(ENVIRONMENT);
  for (const object of objects) state.put(Object.freeze(object));
  return new Given(state, atMs);
}

/** Who asks. */
type By = Pick<Origin, 'actor' | 'lineage'>;

class Given {
  readonly state: State;
  private readonly atMs: number;

  constructor(state: State, atMs: number) {
    this.state = state;
    this.atMs = atMs;
  }

  when(command: Command, by: By = { actor: 'worker' }): Outcome {
    const before = traceOf(this.state);
    const decision = decide(command, this.state, { atMs: this.atMs, ids: seededIds(this.atMs), ...by });
    expect(traceOf(this.state)).toEqual(before); // deciding changes nothing, whatever it comes to
    return new Outcome(this.state, this.atMs, decision);
  }
}

/** Enough of a state to see that it was not touched; the objects in it are frozen. */
function traceOf(state: State): unknown {
  const { environment, created, updated, transfers, events } = state;
  const known = Object.values(state.tables).flatMap((table) => [...table.keys()]);
  return [environment, known, created.size, updated.size, transfers.length, events.length];
}

/** Names in `previous_attributes` that are no members of the object beside them, as it is sent. */
export function strangePrevious({ type, object, previous }: Event): string[] {
  const members = JSON.parse(renderObject(object, false) ?? '{}') as object;
  return Object.keys(previous ?? {})
    .filter((name) => !(name in members))
    .map((name) => `${type}: ${name}`);
}

/** What became of a command. An accepted one has been applied, a refused one has not: `when` goes on a minute later. */
export class Outcome {
  readonly state: State;
  private readonly atMs: number;
  private readonly decision: Decided;

  constructor(state: State, atMs: number, decision: Decided) {
    this.state = state;
    this.atMs = atMs;
    this.decision = decision;
    if (decision.accepted) apply(state, decision.changes, NOBODY);
    expect(this.events.flatMap(strangePrevious)).toEqual([]);
  }

  get reply(): Reply {
    if (!this.decision.accepted) throw new Error(`Refused: ${this.decision.refusal.message}`);
    return this.decision.reply;
  }

  get refusal(): Refusal | undefined {
    return this.decision.accepted ? undefined : this.decision.refusal;
  }

  get events(): readonly Event[] {
    return this.changes('event').map((change) => change.event);
  }

  get audits(): readonly Audited[] {
    return this.changes('audit').map((change) => change.entry);
  }

  get transfers(): readonly Transfer[] {
    return this.changes('transfer').map((change) => change.transfer);
  }

  private changes<K extends Change['kind']>(kind: K): Extract<Change, { kind: K }>[] {
    if (!this.decision.accepted) return [];
    return this.decision.changes.filter((change): change is Extract<Change, { kind: K }> => change.kind === kind);
  }

  /** The object of an id as it is now. */
  now(id: string): StoredObject | undefined {
    for (const table of Object.values(this.state.tables)) if (table.has(id)) return table.get(id);
    return undefined;
  }

  thenAccepts(expected: Expected): this {
    expect(this.refusal).toBeUndefined();
    if (expected.reply) expect(this.reply).toMatchObject(expected.reply);
    if (expected.transfers) expect(this.transfers.map(movement)).toEqual(expected.transfers);
    if (expected.events) expect(this.events.map((event) => event.type)).toEqual(expected.events);
    for (const [id, members] of Object.entries(expected.now ?? {})) expect(this.now(id)).toMatchObject(members);
    return this;
  }

  thenRefuses(code: Code, details: ErrorDetails = {}): this {
    expect(this.refusal?.code).toBe(code);
    expect(this.refusal?.details).toMatchObject(details);
    expect(this.refusal?.message).toMatch(/^\S.*[.]$/);
    return this;
  }

  when(command: Command, by?: By): Outcome {
    return new Given(this.state, this.atMs + 60_000).when(command, by);
  }
}

/** A transfer as `Expected.transfers` writes it. */
export function movement(transfer: Transfer): readonly [string, string, bigint, string] {
  const name = (id: string) => houseOf(id)?.kind ?? id;
  return [name(transfer.debitAccount), name(transfer.creditAccount), transfer.amount, transfer.cause];
}
