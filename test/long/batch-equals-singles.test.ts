/** A batch of the write path equals its commands one by one, in many runs. Few: `test/soak/batch-equals-singles.test.ts`. */
import { groupedFold } from '../support/model/grouped-fold.ts';
import { rulesAtOnce } from '../support/model/rules-at-once.ts';
import { sentAtOnce } from '../support/model/sent-at-once.ts';

groupedFold(1_000, false);
sentAtOnce({ together: 50, cachedRuns: 40, aheadRuns: 100 });
rulesAtOnce(150);
