/** `bursar trigger` makes every type of event, on a real server. Each in a sandbox of its own, side by side: most of it is waiting for workers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, type EventType } from '../../../client/src/bursar.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { EVENT_TYPES } from '../../core/event-types.ts';
import { RECIPES } from './recipes.ts';
import { eventsAfter, newest } from './trigger.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.stop());

it.concurrent.each(EVENT_TYPES)('%s', async (type: EventType) => {
  const { key } = await app.key({ merchant: type });
  const bursar = createClient({ url: app.address, apiKey: key });
  const before = await newest(bursar);
  await RECIPES[type](bursar);
  const { events, isThere } = await eventsAfter(bursar, before, type);
  expect([type, isThere, isThere ? [] : events.map((event) => event.type)]).toEqual([type, true, []]);
});
