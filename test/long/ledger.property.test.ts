/** Money is conserved and every change is told, by 100,000 commands. Fewer: `test/soak/ledger.property.test.ts`. */
import { ledgerProperty } from '../support/model/ledger-property.ts';

ledgerProperty({ runs: 4_200, often: 50, databaseRuns: 100, isSmall: false });
