/** The service that routes call: the write path, for the commands of their slice, and the readers. Made in `process/app.ts`. */
import { type PageQuery, type PageSource, page, pageOf } from '../db/wire/page.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { RequestError } from '../core/errors.ts';
import { renderList } from './lists.ts';
import type { Answer, Call } from './route.ts';

export interface Service<Command = never> {
  /** Sends a command down the write path and answers with its outcome. Replays are marked as such. */
  write(
    call: Call<unknown, unknown>,
    command: Command,
    options?: { readonly dryRun?: boolean | undefined },
  ): Promise<Answer>;
  /** Runs a read on the readers. */
  rows(statement: Statement): Promise<readonly Row[]>;
}

/** The one object a look-up found, rendered; else `resource_missing`. `what` in words: `payout`. */
export async function one(
  service: Service,
  statement: Statement,
  what: string,
  id: string,
  render: (row: Row) => string,
): Promise<Answer> {
  const [row] = await service.rows(statement);
  if (!row) throw missing(what, id);
  return { status: 200, body: render(row) };
}

/** `resource_missing`; `param` is what the id was given as. */
export function missing(what: string, id: string, param = 'id'): RequestError {
  const message = `No such ${what}: ${id}. If it was made with a key of the other mode (sandbox or live), use a key of that mode.`;
  return new RequestError('resource_missing', message, { param });
}

/** One page of a list, rendered. `idOfRow` gives the cursor of a row. */
export async function listPage(
  service: Service,
  call: Call<unknown, PageQuery>,
  source: PageSource,
  render: (row: Row) => string,
  idOfRow: (row: Row) => string,
): Promise<Answer> {
  const { rows, hasMore } = pageOf(await service.rows(page(source, call.query)), call.query);
  const [first, last] = [rows[0], rows.at(-1)];
  return renderList(rows.map(render), hasMore, call, last && idOfRow(last), first && idOfRow(first));
}
