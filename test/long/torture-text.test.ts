/** T19, torture by text, names, values and bytes, with every case. One in seventeen: `test/long/small/torture-text.test.ts`. */
import { textTorture } from '../support/generators/text-torture.ts';

textTorture(1);
