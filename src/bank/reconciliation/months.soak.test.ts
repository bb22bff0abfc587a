/** Random months of two banks, and what reports say of them. Twenty: `test/long/months.test.ts`. */
import { randomMonths } from '../../../test/support/bank/random-months.ts';

randomMonths(2);
