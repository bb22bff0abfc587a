/** A batch of the write path equals its commands one by one, in a few runs. Many: `test/long/batch-equals-singles.test.ts`. */
import { groupedFold } from '../support/model/grouped-fold.ts';
import { rulesAtOnce } from '../support/model/rules-at-once.ts';
import { sentAtOnce } from '../support/model/sent-at-once.ts';

groupedFold(30, true);
sentAtOnce({ together: 5, cachedRuns: 5, aheadRuns: 12 });
rulesAtOnce(10);
