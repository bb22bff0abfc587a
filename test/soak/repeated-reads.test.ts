/** An answer that is given again is the right one, in a few steps. Many: `test/long/repeated-reads.test.ts`. */
import { repeatedReads } from '../support/generators/repeated-reads.ts';

repeatedReads({ steps: 12, resetEvery: 8, clients: 6, rounds: 6 });
