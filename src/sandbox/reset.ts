/** Starting over: everything a sandbox holds is erased, its keys apart. A live environment is never found. */
import { uuidOf } from '../core/ids.ts';
import type { Statement } from '../db/wire/statement.ts';
import { ERASED_IN_PIECES, erasePiece, eraseRest, PIECE_ROWS } from './sql.ts';

/** `asOwner` runs statements in one transaction and returns how many rows the last one changed. */
export async function resetSandbox(
  asOwner: (statements: readonly Statement[]) => Promise<number>,
  environmentId: string,
): Promise<void> {
  const uuid = uuidOf(environmentId);
  for (const table of ERASED_IN_PIECES) {
    while ((await asOwner([erasePiece(table, uuid)])) === PIECE_ROWS);
  }
  await asOwner(eraseRest(uuid));
}
