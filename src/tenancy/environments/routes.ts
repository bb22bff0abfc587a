/** The test helper of environments: rehearses in one sandbox what readers of events see after a restore (`operator/restored.ts`). */
import { exampleOf, schemaOf } from '../../platform/http/object-schema.ts';
import { integer, params, withDefault } from '../../platform/http/request/params.ts';
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import type { NoteRestore } from './decide.ts';
import { RESTORE } from './fields.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';

const helper = routesOf('Test helpers', 'test_helpers');

/** Ids of events have room for 10¹² numbers: a hundred million rehearsals. */
const MAX_SKIPPED = 10_000;
const USUALLY_SKIPPED = 1_000;

const restoredParams = params({
  skip: withDefault(
    integer({
      min: 1,
      max: MAX_SKIPPED,
      description: 'So many numbers the event sequence leaves out, as if so many events could have been lost.',
      example: USUALLY_SKIPPED,
    }),
    USUALLY_SKIPPED,
  ),
});

export function environmentRoutes(service: Service<NoteRestore>): Route[] {
  return [
    helper('rehearseRestore', 'POST /v1/test_helpers/restore', {
      summary: 'Rehearse a restore of the database',
      description:
        'The event sequence of the sandbox leaves out numbers, and `environment.restored` says so, as after a restored backup. Nothing is lost: readers of events find a gap without having missed anything.',
      body: restoredParams,
      request: { skip: USUALLY_SKIPPED },
      response: answers('Restore', exampleOf(RESTORE, { last_sequence: 41, next_sequence: 1_042 })),
      handle: (call) => service.write(call, { type: 'note_restore', skip: BigInt(call.body.skip) }),
    }),
  ];
}

export const ENVIRONMENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Restore: schemaOf(RESTORE, 'A restore of the database from a backup.'),
};
