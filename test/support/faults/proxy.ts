/**
 * A TCP proxy that cuts the wire where it is told to: after so many bytes of a request or of an answer. What a client sees
 * when a network fails at the worst moment. It never changes a byte.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Bytes that still pass; nothing of that direction is cut when left out. */
export interface Cut {
  readonly afterRequestBytes?: number;
  readonly afterAnswerBytes?: number;
  /** The peer sees a reset instead of an end. */
  readonly reset?: boolean;
}

export interface Proxy {
  readonly address: string;
  /** Connections that were cut so far. */
  readonly cuts: () => number;
  close(): Promise<void>;
}

/** `target`: an http:// address or the path of a socket. `plan` is asked once for every connection that comes in. */
export async function startProxy(target: string, plan: () => Cut): Promise<Proxy> {
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const cut = plan();
    const upstream = connectTo(target);
    const end = () => {
      for (const socket of [client, upstream]) {
        if (cut.reset) socket.resetAndDestroy();
        else socket.destroySoon();
      }
    };
    const sever = () => {
      cuts += 1;
      end();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => {
        open.delete(socket);
        client.destroySoon();
        upstream.destroySoon();
      });
    }
    pass(client, upstream, cut.afterRequestBytes, sever);
    pass(upstream, client, cut.afterAnswerBytes, sever);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function connectTo(target: string): Socket {
  if (!target.startsWith('http')) return connect(target);
  const { port, hostname } = new URL(target);
  return connect(Number(port), hostname);
}

/** Passes bytes on until the limit; the byte after it, or the limit itself when it is zero, severs the wire. */
function pass(from: Socket, to: Socket, limit = Number.POSITIVE_INFINITY, sever: () => void): void {
  let left = limit;
  from.on('data', (chunk: Buffer) => {
    if (left < 0) return;
    const passed = chunk.subarray(0, Math.min(left, chunk.length));
    left -= chunk.length;
    if (left > 0) {
      to.write(passed);
      return;
    }
    left = -1;
    to.write(passed, sever);
  });
}
