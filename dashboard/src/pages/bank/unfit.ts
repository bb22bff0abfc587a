/** Why no file of payouts is made for a bank account, as far as the page knows. Pure. The server says no in any case. */
import type { BankAccount } from '../../../../client/src/generated/types.ts';

/** `null`: it may be tried. What the server would refuse is not asked for either, nor a trial of it. */
export function unfitToExport(
  { exports_stopped_by: stoppedBy }: Pick<BankAccount, 'exports_stopped_by'>,
  mayExport: boolean,
): string | null {
  if (!mayExport) return 'Your role may not export payouts.';
  return stoppedBy === null ? null : 'Exports are stopped: bank and books differ.';
}
