/**
 * Our ids as they go out. `_` is outside the letters that SEPA banks take, so `po_01jd…` goes out as `PO01JD…`, 28 characters
 * (decision 0046). Banks change case and punctuation on the way, so both are disregarded on the way back (`bank/statements/lines.ts`).
 */

/** For EndToEndId, MsgId and PmtInfId. */
export const outgoingId = (id: string): string => id.replace('_', '').toUpperCase();
