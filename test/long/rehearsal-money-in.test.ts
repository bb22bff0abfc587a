/** Money that comes in, from payers of thirteen kinds: 5,000 of them. A few: `test/long/small/rehearsal-money-in.test.ts`. */
import { moneyComesIn } from '../support/bank/rehearsal-money-in.ts';

moneyComesIn(5_000);
