/** T18, the tenant wall, with every kind of id in each place. A few in each: `test/tenant-wall.soak.test.ts`. */
import { tenantWall } from '../support/generators/tenant-wall.ts';

tenantWall({
  pairs: [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 0],
    [1, 2],
    [1, 3],
  ],
  every: 1,
});
