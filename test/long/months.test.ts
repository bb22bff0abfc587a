/** Random months of twenty banks, and what reports say of them. Two: `src/bank/reconciliation/months.soak.test.ts`. */
import { randomMonths } from '../support/bank/random-months.ts';

randomMonths(20);
