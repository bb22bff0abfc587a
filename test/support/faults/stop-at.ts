/**
 * Stops at named points (`src/platform/workers/stop-points.ts`), so that a test acts while the work is exactly there, without
 * sleeping and without luck. In a server process: `server.stopAt(point)` of `startServer`; the process then stands
 * still at the point until it is killed. In a command line: `cliAt` of `test/support/harness/cli.ts`. In the process of
 * the test: `nextAt` resolves at the point, `heldAt` runs a function there.
 */
import { channelOf, type StopPoint } from '../../../src/platform/workers/stop-points.ts';

/** Begin the lines with which a server process tells that it will stop, and that it stands still. */
export const ARMED = 'Will stop at ';
export const STOPPED = 'Stopped at ';

/**
 * What a test writes to the standard input of a server: the so-manieth time from now that it comes to the point. A
 * later order for the same point stands instead of an earlier one; with an infinite time the server stops there no
 * more.
 */
export const orderFor = (point: StopPoint, time: number): string => `${point} ${time}\n`;

/** A module for `--import` that begins so: `stop` blocks the process for ever where its point is reached. */
const moduleOf = (text: string): string =>
  `data:text/javascript,${encodeURIComponent(`
  import { subscribe, unsubscribe } from 'node:diagnostics_channel';
  import { writeSync } from 'node:fs';
  const armed = new Map();
  const stop = (point, time) => {
    let left = Number(time);
    const listen = () => {
      left -= 1;
      if (left !== 0) return;
      writeSync(2, '${STOPPED}' + point + '\\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
    if (armed.has(point)) unsubscribe('bursar:' + point, armed.get(point));
    armed.set(point, listen);
    subscribe('bursar:' + point, listen);
    writeSync(2, '${ARMED}' + point + '\\n');
  };
  ${text}`)}`;

/**
 * Reads orders from standard input. The process ends when its standard input is closed: when the process that started
 * it is killed, nobody else tells it to.
 */
export const OBEYS_STARTER = moduleOf(`
  process.stdin.on('data', (order) => stop(...String(order).trim().split(' ')));
  process.stdin.on('close', () => process.exit()).resume().unref();
`);

/** Stops from the start, without an order: for command lines, whose standard input is their own. */
export const stopsAt = (point: StopPoint, time: number): string => moduleOf(`stop('${point}', ${time});`);

/** Resolves when this process comes to the point the next time, or the so-manieth time from now. */
export function nextAt(point: StopPoint, times = 1): Promise<void> {
  return new Promise((resolve) => {
    let left = times;
    const listen = () => {
      left -= 1;
      if (left > 0) return;
      channelOf(point).unsubscribe(listen);
      resolve();
    };
    channelOf(point).subscribe(listen);
  });
}

/** Runs `act` each time that this process comes to the point, before the work goes on. Returns the end of it. */
export function heldAt(point: StopPoint, act: () => void): () => void {
  const listen = () => act();
  channelOf(point).subscribe(listen);
  return () => {
    channelOf(point).unsubscribe(listen);
  };
}
