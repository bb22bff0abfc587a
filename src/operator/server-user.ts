/**
 * Who the server on this machine runs as: the user that owns the socket listening on its port, from the kernel's tables (proc(5)). So
 * `bursar doctor`, run by root or by a person, speaks of the server and not of itself. Linux only.
 */
import { readFileSync } from 'node:fs';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** TCP_LISTEN, as the tables write it. */
const LISTENING = '0A';

/** The uid of the listener on a port; `null`: nobody listens there on this machine, or it has no such tables. */
export function userOfListener(port: number, read: (path: string) => string = readTable): number | null {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of TABLES) {
    for (const line of read(table).split('\n').slice(1)) {
      const [, local = '', , state, , , , uid] = line.trim().split(/\s+/);
      if (state === LISTENING && local.endsWith(wanted)) return Number(uid);
    }
  }
  return null;
}

/** Empty where there is none: without IPv6, or on another system. */
function readTable(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
