/** T19, torture by text, names, values and bytes, with one case in seventeen. All: `test/long/torture-text.test.ts`. */
import { textTorture } from '../../support/generators/text-torture.ts';

textTorture(17);
