/** T19, torture by numbers and text, with one amount in seventeen. All: `test/long/torture.test.ts`. */
import { amountTorture } from '../support/harness/amount-torture.ts';

amountTorture(17);
