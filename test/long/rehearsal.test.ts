/** Payouts from the order to what their bank says of them, in every fate: a thousand. A few: `test/long/small/rehearsal.test.ts`. */
import { moneyGoesOut } from '../support/bank/rehearsal.ts';

moneyGoesOut(1_000);
