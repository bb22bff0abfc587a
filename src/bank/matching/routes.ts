/** The operations of what a person decides about a bank's reports: entries without a place, and payouts that no report ends. */
import type { Route } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import type { MatchingCommand } from './slice.ts';
import { resolveRoutes } from './resolve-routes.ts';
import { type UnmatchedParts, unmatchedRoutes } from './unmatched-routes.ts';

export function matchingRoutes(service: Service<MatchingCommand>, parts: UnmatchedParts): Route[] {
  return [...unmatchedRoutes(service, parts), ...resolveRoutes(service)];
}
