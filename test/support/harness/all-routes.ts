/** Every route there is, described without being served: what they say of themselves, and no handler to call. */
import { openapi } from '../../../src/platform/http/openapi.ts';
import { allRoutes, SCHEMAS, WEBHOOKS } from '../../../src/server/routes.ts';
import { readContract } from '../generators/contract.ts';
import { schemaFaults } from '../generators/schema.ts';

export const ROUTES = allRoutes({ service: {}, settlementDelay: {}, sandbox: {}, rates: {} } as unknown as Parameters<
  typeof allRoutes
>[0]);

/** The OpenAPI document of the service, as tests read it. */
export const DOCUMENT = openapi(ROUTES, SCHEMAS, { version: '1.2.3', publicUrl: 'https://pay.example.org' }, WEBHOOKS);
const CONTRACT = readContract(DOCUMENT);

/** What is wrong with a value that should be one of the document's objects. */
export const objectFaults = (name: string, value: unknown): readonly string[] =>
  schemaFaults(CONTRACT.schemas[name] ?? { not: {} }, value, CONTRACT.schemas);
