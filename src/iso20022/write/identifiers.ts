/**
 * Our ids as they go out. `_` is outside the letters that SEPA banks take, so `po_01jd…` goes out as `PO01JD…`, 28 characters
 * (decision 0046). Banks change case and punctuation on the way, so both are disregarded on the way back (`bank/imports/lines.ts`).
 */
import { idOf, instantOf, uuidOf } from '../../core/values/ids.ts';

/** For EndToEndId, MsgId and PmtInfId. */
export const outgoingId = (id: string): string => id.replace('_', '').toUpperCase();

/**
 * The reference by which banks track a payment from end to end (UETR): a UUID of version 4. It is the UUID of the payout with this version
 * in the place of its own. So it is the same in a second file, and leads back without being stored.
 */
export function uetrOf(outgoing: string): string {
  const uuid = uuidOf(outgoing.toLowerCase());
  const variant = ((Number.parseInt(uuid.charAt(19), 16) & 3) | 8).toString(16);
  return `${uuid.slice(0, 14)}4${uuid.slice(15, 19)}${variant}${uuid.slice(20)}`;
}

const UETR = /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/;
/** Instants in the UETRs of others are random: of these, one in a hundred is before then. */
const LATEST_MS = Date.UTC(2100, 0);

/** The payout that may have gone out with this UETR, in any case, with hyphens or without; it need not exist. `null`: none can. */
export function payoutOfUetr(quoted: string | null): string | null {
  const hex = quoted?.replaceAll(/[\s-]/g, '').toLowerCase() ?? '';
  if (!UETR.test(hex)) return null;
  const id = idOf('po', `${hex.slice(0, 12)}7${hex.slice(13)}`);
  return instantOf(id) < LATEST_MS ? id : null;
}
