/** Money that comes in, from payers of thirteen kinds; a few of each. 5,000: `test/long/rehearsal-money-in.test.ts`. */
import { moneyComesIn } from '../support/bank/rehearsal-money-in.ts';

moneyComesIn(52);
