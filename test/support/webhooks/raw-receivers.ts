/**
 * Receivers of deliveries on this machine, good and bad, and a trap that counts whatever reaches it. They bind every address
 * of the machine, so that any spelling of any of them would arrive. Next: `certificate.ts`.
 */
import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server as TcpServer, type Socket } from 'node:net';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';

export interface Receiver {
  readonly port: number;
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** HTTPS with the self-signed certificate. */
  readonly tls?: boolean;
  /** Listens on this address alone. */
  readonly host?: string;
}

export function startReceiver(listener: RequestListener, { tls, host }: ReceiverOptions = {}): Promise<Receiver> {
  const server: Server = tls
    ? createHttps({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, listener)
    : createHttp(listener);
  return listening(server, host);
}

/** The body of a request as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Bare TCP: what is written to the socket is the answer. */
export function startTcpReceiver(onConnection: (socket: Socket) => void): Promise<Receiver> {
  return listening(createServer(onConnection));
}

export interface Trap extends Receiver {
  bytes(): number;
}

/** Takes connections and reads; nothing may ever arrive. */
export async function startTrap(): Promise<Trap> {
  let bytes = 0;
  const receiver = await startTcpReceiver((socket) => {
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
  });
  return { ...receiver, bytes: () => bytes };
}

async function listening(server: TcpServer, host?: string): Promise<Receiver> {
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host }, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
