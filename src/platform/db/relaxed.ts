/**
 * Statements whose commit need not be on disk when it is answered, so their work must be repeatable. Durability is
 * relaxed for the transaction of each statement alone, and no other one inherits that.
 */
import type { OwnConnection } from './reconnecting.ts';
import { pipelineOver, type Result } from './wire/pipeline.ts';
import type { Statement } from './wire/statement.ts';

const RELAX: Statement = {
  name: 'relax',
  text: "SELECT set_config('synchronous_commit', 'off', true)",
  values: [],
};

/** Runs one statement a transaction, in the order of the calls. Needs a connection that nobody else uses. */
export function relaxed(connection: OwnConnection): (statement: Statement) => Promise<Result> {
  return async (statement) => {
    const pipeline = pipelineOver(await connection.client());
    pipeline.run(RELAX).catch(() => undefined); // the statement fails with it
    const result = pipeline.run(statement);
    pipeline.sync();
    return result;
  };
}
