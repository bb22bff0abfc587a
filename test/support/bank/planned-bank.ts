/** Statements reported to a ledger in memory as the import tells them: planned, booked in chunks, and what waits decided again. */
import type { BankLine } from '../../../src/bank/statements/booking.ts';
import { type ChunkParts, Chunks } from '../../../src/bank/imports/chunks.ts';
import type { StatementHead } from '../../../src/bank/statements/slice.ts';
import { type Planning, type PlanningParts, planningOf } from '../../../src/bank/imports/planning.ts';
import { decideAgain } from '../../../src/bank/imports/waiting-statements.ts';
import { likenessOf } from '../../../src/core/deduplication/likeness.ts';
import { apply, State } from '../../../src/core/state.ts';
import type { Stored } from '../../../src/core/objects.ts';
import { decide } from '../../../src/write/slices.ts';
import { AT, BEFORE, environment, seededIds } from '../harness/literals.ts';
import { memoryBooks } from './memory-books.ts';

export class PlannedBank {
  readonly state = new State(environment(0n, BEFORE));
  readonly #account: string;
  readonly #onCommit: () => void;
  #atMs = AT;

  readonly #change: (planning: Planning) => Planning;

  /** `change`: for a control. */
  constructor(
    account: Stored['bank_account'],
    onCommit: () => void = () => {},
    change: (planning: Planning) => Planning = (planning) => planning,
  ) {
    this.state.put(account);
    this.#change = change;
    this.#account = account.id;
    this.#onCommit = onCommit;
  }

  get parts(): PlanningParts & ChunkParts {
    return {
      ...memoryBooks(this.state),
      write: (command) => {
        this.#atMs += 1_000;
        const decision = decide(command, this.state, { atMs: this.#atMs, ids: seededIds(this.#atMs), actor: 'worker' });
        if (!decision.accepted)
          return Promise.resolve({ status: 400, body: JSON.stringify({ error: decision.refusal }) });
        apply(this.state, decision.changes, { actor: 'worker', requestId: null, idempotencyKey: null });
        this.#onCommit();
        const { object, id, status } = decision.reply as Readonly<Record<'object' | 'id' | 'status', string>>;
        return Promise.resolve({ status: 200, body: JSON.stringify({ object, id, status }) });
      },
      underWayOf: () => Promise.resolve([]),
      payeesOf: () => Promise.resolve(new Map()),
      marksWaiting: () => Promise.resolve(new Set<string>()),
    };
  }

  get account(): Stored['bank_account'] {
    return this.state.tables.bank_account.get(this.#account) as Stored['bank_account'];
  }

  /** `until`: the import ends before this line. */
  async tell(
    head: StatementHead,
    lines: readonly BankLine[],
    document: string,
    until = lines.length + 1,
  ): Promise<void> {
    const { parts, account } = this;
    const reported = { all: lines.map((line) => likenessOf(line)) };
    const chunks = new Chunks(this.#change(await planningOf({ account, head, reported, document }, parts)), parts);
    for (const line of lines.slice(0, until)) await chunks.addLine(line);
    if (until <= lines.length) return;
    await chunks.end();
    await decideAgain(account, parts);
  }
}
