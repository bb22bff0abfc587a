/** An answer that is given again is the right one, in many steps. Few: `test/soak/repeated-reads.test.ts`. */
import { repeatedReads } from '../support/generators/repeated-reads.ts';

repeatedReads({ steps: 90, resetEvery: 40, clients: 16, rounds: 12 });
