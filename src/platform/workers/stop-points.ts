/**
 * Named stop points, at which a test stops the process or acts (`test/support/faults/stop-at.ts`). Production pays a
 * null check. A point announces and decides nothing, and nothing in `src/` may listen to one.
 */
import { channel } from 'node:diagnostics_channel';

/** Past participles: what has just happened, before anything else does. */
export const STOP_POINTS = [
  /** A batch of writes is decided, and nothing of it has been sent. */
  'batch.decided',
  /** The rows of a batch are on their way in an open transaction; its COMMIT is not. */
  'batch.written',
  /** PostgreSQL has said that a batch is committed; nobody has an answer yet. */
  'batch.committed',
  /** A worker has taken up a payment file that is open, and claims nothing for it yet. */
  'payment_file.opened',
  /** Some payouts, one commit full, are claimed for a payment file; nothing else of the file has happened since. */
  'payment_file.claimed',
  /** The bytes of a payment file are made and compressed; nobody has asked to seal them. */
  'payment_file.written',
  /** A payment file is sealed. */
  'payment_file.sealed',
  /** A round of scheduled exports is over: the files of whatever was due are open. */
  'payment_schedule.looked',
  /** A round of the dispatcher has ended: what was due is claimed, held or replayed. Exchanges may be under way. */
  'deliveries.looked_after',
  /** All rows of one more table are in the file of a backup. */
  'backup.table_copied',
  /** A backup is whole and on disk, and does not have its name yet. */
  'backup.sealed',
  /** All rows of a backup are in an open transaction of a restore. */
  'restore.rows_sent',
  /** The rows of a restore are committed, with the mark that keeps servers from starting. */
  'restore.loaded',
  /** A restore has moved on the sequences of events; its mark still stands. */
  'restore.noted',
  /** A rotation of the server secret has committed one more batch of rows under the new secret. */
  'secret.batch_resealed',
  /** A delivery has left the queue, and its exchange has not begun. */
  'delivery.claimed',
  /** A receiver has answered a delivery with success, and nothing of that is written. */
  'delivery.answered',
  /** The results of a group of deliveries are written; nothing follows from them yet. */
  'delivery.booked',
  /** A round of standing orders has found planned days that have come, and sent none of them. */
  'standing_orders.found',
  /** One planned day of a standing order is committed; whoever sent it has the answer. */
  'standing_order.run_committed',
  /** A round of daily statements has found days that have ended, and sent none of them. */
  'daily_statements.found',
  /** The statement of one day is committed; whoever sent it has the answer. */
  'daily_statement.committed',
  /** A round has found environments with transfers that are in no daily sum, and added none of them. */
  'daily_sums.found',
  /** Some transfers are in the daily sums, with how far these are: one commit. */
  'daily_sums.added',
] as const;
export type StopPoint = (typeof STOP_POINTS)[number];

/** One channel a point, known by its name in every module and every copy of this one. */
export const channelOf = (point: StopPoint) => channel(`bursar:${point}`);

/** Makes the function that announces a point; called once, where the module is loaded. */
export function stopPoint(point: StopPoint): () => void {
  const announced = channelOf(point);
  return () => {
    if (announced.hasSubscribers) announced.publish(point);
  };
}
