/** T18, the tenant wall, with the right id and a few others in each place. All: `test/long/tenant-wall.test.ts`. */
import { tenantWall } from './support/generators/tenant-wall.ts';

tenantWall({
  pairs: [
    [0, 1],
    [0, 2],
  ],
  every: 25,
});
