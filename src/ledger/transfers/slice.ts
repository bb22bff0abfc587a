/** Transfers between own accounts, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import { slice } from '../../core/slice.ts';
import { TRANSFER } from '../../core/transfer.ts';
import { createTransfer } from './decide.ts';

export const transfers = slice({
  decisions: { create_transfer: createTransfer },
  needs: { create_transfer: (need, { from, to }) => need.keys('accounts', from, to) },
  objects: { transfer: TRANSFER },
});
export type TransferCommand = CommandOf<typeof transfers.decisions>;
