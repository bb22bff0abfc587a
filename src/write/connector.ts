/** A writer's connection made of a client: statements pipelined, plans renewed from time to time. */
import { pipelineOver } from '../platform/db/wire/pipeline.ts';
import { refreshingPlans } from '../platform/db/plan-refresh.ts';
import type { OwnConnection } from '../platform/db/pool.ts';
import type { WriterConnection } from './attempts.ts';

/** Opens the connection of a writer. One whose transaction is in doubt is closed, and the next call opens another. */
export function connector(writer: OwnConnection): () => Promise<WriterConnection> {
  return async () => {
    const client = await writer.client();
    const { run, sync, sent } = pipelineOver(client);
    return { run: refreshingPlans(run), sync, sent, close: () => writer.discard(client) };
  };
}
