/** Payouts from the order to what their bank says of them, in every fate; a few. A thousand: `test/long/rehearsal.test.ts`. */
import { moneyGoesOut } from '../support/bank/rehearsal.ts';

moneyGoesOut(60);
