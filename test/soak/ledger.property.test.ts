/** Money is conserved and every change is told, by twelve thousand commands. More: `test/long/ledger.property.test.ts`. */
import { ledgerProperty } from '../support/model/ledger-property.ts';

ledgerProperty({ runs: 500, often: 5, databaseRuns: 8, isSmall: true });
