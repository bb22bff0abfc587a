/** The operation that shows what the last verification of the books came to. */
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { renderVerification } from './schema.ts';
import { lastVerified } from './sql.ts';

const route = routesOf('Verification', 'verification');

export function verificationRoutes(service: Service): Route[] {
  return [
    route('retrieveVerification', 'GET /v1/verification', {
      summary: 'Retrieve the last verification',
      description:
        'Once a day the books of all environments are recomputed by code that shares nothing with the code that wrote them: balances from transfers, states, events, deliveries, payment files, the audit log. This is the result for your environment.',
      response: answers('Verification', {
        object: 'verification',
        livemode: false,
        status: 'clean',
        started_at: 1_732_184_000,
        finished_at: 1_732_184_041,
        rules_count: 53,
        damages_count: 0,
        damages: [],
      }),
      handle: async ({ caller }) => {
        const [row] = await service.rows(lastVerified(caller.environmentId));
        return { status: 200, body: renderVerification(row, caller.livemode) };
      },
    }),
  ];
}
