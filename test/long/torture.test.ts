/** T19, torture by numbers and text, with all amounts. One in seventeen: `test/soak/torture.test.ts`. */
import { amountTorture } from '../support/harness/amount-torture.ts';

amountTorture(1);
