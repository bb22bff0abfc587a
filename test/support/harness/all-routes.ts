/** Every route there is, described without being served: what they say of themselves, and no handler to call. */
import { allRoutes } from '../../../src/process/routes.ts';

export const ROUTES = allRoutes({ service: {}, settlementDelay: {}, sandbox: {}, rates: {} } as unknown as Parameters<
  typeof allRoutes
>[0]);
