/** Money that comes in, from two payers of each kind. 5,000: `test/long/rehearsal-money-in.test.ts`. */
import { moneyComesIn } from '../../support/bank/rehearsal-money-in.ts';

moneyComesIn(26, { filesOfZip: 16, alone: 12 });
