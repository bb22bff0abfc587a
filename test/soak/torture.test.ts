/** T19, torture by numbers and text, with one amount in eight. All: `test/long/torture.test.ts`. */
import { amountTorture } from '../support/harness/amount-torture.ts';

amountTorture(8);
