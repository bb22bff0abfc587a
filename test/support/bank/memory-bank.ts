/** Statement files imported into a ledger in memory: the whole import, without a database or HTTP. Where it is served: `hand-in.ts`. */
import { createHash } from 'node:crypto';
import type { StatementFile } from '../../../src/bank/statements/fields.ts';
import { importStatementFile, type ImportParts } from '../../../src/bank/imports/importing.ts';
import type { BankStatementCommand } from '../../../src/bank/statements/slice.ts';
import type { Stored } from '../../../src/core/objects.ts';
import { apply, State } from '../../../src/core/state.ts';
import { readStatementFile } from '../../../src/iso20022/read/read.ts';
import { decide } from '../../../src/write/slices.ts';
import { bankAccount } from '../harness/bank-literals.ts';
import { AT, BEFORE, environment, seededIds } from '../harness/literals.ts';
import { memoryDetails } from './memory-details.ts';
import { memoryBooks } from './memory-books.ts';
import { chunksOf } from './read-documents.ts';

export class MemoryBank {
  readonly state = new State(environment(0n, BEFORE));
  readonly #ids = seededIds(AT);

  constructor(accounts: readonly Stored['bank_account'][] = [bankAccount()]) {
    for (const account of accounts) this.state.put(account);
  }

  /** Throws `RequestError` where the file is refused. */
  async import(
    file: string | Uint8Array,
    read: ImportParts['read'] = (bytes) => readStatementFile(bytes),
    onCommand: (command: BankStatementCommand) => void = () => {},
  ): Promise<StatementFile> {
    const write: ImportParts['write'] = (command) => {
      onCommand(command);
      const decision = decide(command, this.state, { atMs: AT, ids: this.#ids, actor: 'worker' });
      if (!decision.accepted)
        return Promise.resolve({ status: 400, body: JSON.stringify({ error: decision.refusal }) });
      apply(this.state, decision.changes, { actor: 'worker', requestId: null, idempotencyKey: null });
      const { object, id, status } = decision.reply as Readonly<Record<'object' | 'id' | 'status', string>>;
      return Promise.resolve({ status: 200, body: JSON.stringify({ object, id, status }) });
    };
    const parts: ImportParts = {
      ...memoryBooks(this.state),
      ...memoryDetails(this.state),
      read,
      write,
      accounts: () => Promise.resolve([...this.state.tables.bank_account.values()]),
      payoutsOf: async function* () {},
      underWayOf: () => Promise.resolve([]),
      payeeChecksOf: () => Promise.resolve(null),
      payeesOf: () => Promise.resolve(new Map()),
      waitingDebitsOf: () => Promise.resolve([]),
    };
    const sha256 = createHash('sha256').update(file).digest('hex');
    const sizeBytes = Buffer.byteLength(file);
    const body = await importStatementFile({ open: () => chunksOf(file), sha256, sizeBytes }, parts, () => {});
    return this.state.tables.statement_file.get((JSON.parse(body) as { id: string }).id) as StatementFile;
  }

  get entries() {
    return [...this.state.tables.bank_entry.values()];
  }

  get statements() {
    return [...this.state.tables.bank_statement.values()];
  }
}
