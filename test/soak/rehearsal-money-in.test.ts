/** Money that comes in, from payers of thirteen kinds; a few of each. 5,000: `test/long/rehearsal-money-in.test.ts`. */
import { rehearsalOfMoneyIn } from '../support/bank/rehearsal-money-in.ts';

rehearsalOfMoneyIn(52);
