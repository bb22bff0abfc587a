/** Work on many things in slices, between which the event loop answers others. For what strangers wrote, of which one thing may take long. */
import { setImmediate as breathe } from 'node:timers/promises';

/** All of them, in order; `size`: how many come in one turn of the event loop. */
export async function* inSlices<Each>(all: readonly Each[], size: number): AsyncGenerator<Each> {
  for (const [at, each] of all.entries()) {
    if (at % size === size - 1) await breathe();
    yield each;
  }
}
