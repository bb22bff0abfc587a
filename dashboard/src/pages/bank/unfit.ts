/** Why no file of payouts is made, or given up, as far as the page knows. Pure. The server says no in any case. */
import type { BankAccount, PaymentFile } from '../../../../client/src/generated/types.ts';
import type { Approver } from '../../ui/unfit.ts';

/** `null`: it may be tried. What the server would refuse is not asked for either, nor a trial of it. */
export function unfitToExport(
  { exports_stopped_by: stoppedBy }: Pick<BankAccount, 'exports_stopped_by'>,
  mayExport: boolean,
): string | null {
  if (!mayExport) return 'Your role may not export payouts.';
  return stoppedBy === null ? null : 'Exports are stopped: bank and books differ.';
}

/** `null`: it may be tried. Who made one of its payouts is refused by the server alone. */
export function unfitToGiveUp(
  { created_by: maker }: Pick<PaymentFile, 'created_by'>,
  { id, mayApprove, isConfirmed }: Approver,
  mayExport: boolean,
): string | null {
  if (!mayExport || !mayApprove) return 'Your role may not give up files: that takes operator and approver in one.';
  if (!isConfirmed) return 'You may once a third person has confirmed you, on your page under People.';
  return maker === id ? 'You made it. Somebody else gives it up.' : null;
}
