/**
 * `Expect: 100-continue` (RFC 9110, section 10.1.1): a client holds its body back until it is asked for. It is asked for when
 * somebody reads the body, so what the headers decide is answered before. Who checks headers: `serve.ts`, `server.ts`.
 */
// oxlint-disable no-underscore-dangle -- `_read` is Node's name
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Without a listener Node asks for every body, before anybody has looked at the headers. */
export function askForBodiesLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const { shouldKeepAlive } = response;
    // An answer instead of `100 Continue` leaves open whether the body comes: nothing more can be read there.
    response.shouldKeepAlive = false;
    const read = request._read.bind(request);
    request._read = (size) => {
      request._read = read;
      // Node reads and forgets the body of an answered request.
      if (!response.headersSent) {
        response.writeContinue();
        response.shouldKeepAlive = shouldKeepAlive;
      }
      read(size);
    };
    server.emit('request', request, response);
  });
}

/** Whether the client may hold its body back until it is asked for. */
export function mayHoldBack({ headers }: IncomingMessage): boolean {
  return headers.expect !== undefined;
}
