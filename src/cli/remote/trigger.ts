/** `bursar trigger TYPE`: makes an event happen in the sandbox, by doing what causes it. How each is made: `recipes.ts`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Bursar, Event, EventType } from '../../../client/src/bursar.ts';
import { EVENT_TYPES } from '../../core/event-types.ts';
import { nearest } from '../../core/values/nearest.ts';
import { Exit, UsageError } from '../../operator/exit.ts';
import { asking, connect, remote, type RemoteOptions } from './connection.ts';
import { described, printRows } from './output.ts';
import { print } from './terminal.ts';
import { RECIPES } from './recipes.ts';

const PATIENCE_MS = 30_000;
const LOOK_MS = 200;

export function triggerCommand(): Command {
  const about = 'make an event happen in the sandbox; without a type: list them';
  const command = described(new Command('trigger').argument('[type]'), about, 'trigger payout.failed');
  const types = Object.keys(RECIPES).map((each) => [each]);
  return remote(command).action((type: string | undefined, options: RemoteOptions) =>
    type === undefined ? printRows(['type'], types) : trigger(typeFrom(type), options),
  );
}

function typeFrom(given: string): EventType {
  const known: readonly string[] = EVENT_TYPES;
  if (known.includes(given)) return given as EventType;
  const near = nearest(given, known);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(`There is no event ${given}.${meant} All of them: bursar trigger`);
}

async function trigger(type: EventType, options: RemoteOptions): Promise<void> {
  const { bursar } = await connect(options);
  await asking(async () => {
    const before = await newest(bursar);
    await RECIPES[type](bursar);
    const { events, isThere } = await eventsAfter(bursar, before, type);
    for (const event of events) {
      if (options.json === true) print(JSON.stringify({ sequence: event.sequence, id: event.id, type: event.type }));
      else await printRows(['sequence', 'type', 'id'], [[event.sequence, event.type, event.id]]);
    }
    if (!isThere) throw new Exit('failed', `${type} has not happened within ${PATIENCE_MS / 1_000} s.`);
  });
}

export const newest = async (bursar: Bursar): Promise<number> =>
  (await bursar.events.list({ limit: 1 }).page()).data[0]?.sequence ?? 0;

/** Events behind `after`, once there is one of the type: events of workers come within seconds. */
export async function eventsAfter(bursar: Bursar, after: number, type: EventType) {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const events: Event[] = [];
    for await (const event of bursar.events.list({ after_sequence: after, order: 'asc' })) events.push(event);
    const isThere = events.some((event) => event.type === type);
    if (isThere || waitedMs >= PATIENCE_MS) return { events, isThere };
    await sleep(LOOK_MS);
  }
}
