/** Payouts from the order to what their bank says of them: one of every fate in each currency. A thousand: `test/long/rehearsal.test.ts`. */
import { moneyGoesOut } from '../../support/bank/rehearsal.ts';

moneyGoesOut(18, { filesOfZip: 16, alone: 12, isThinned: true });
