/**
 * Connections for deliveries: resolve the name once, check every address, connect, check the peer's address. No byte is
 * sent before, not even a TLS greeting. Next: `events/webhooks/send.ts`, which writes the request.
 */
import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { buildConnector } from 'undici';
import { classify } from './addresses.ts';
import { type GuardPolicy, literalOf, nameOf, type PinnedAddress, refusePeer, resolveTarget } from './guard.ts';
import { withoutInformational } from './informational.ts';
import type { Lookup } from './lookup.ts';

export type ConnectFault = 'dns' | 'blocked' | 'refused' | 'tls' | 'timeout' | 'broken';

/** Why there is no connection. The message is for the owner of the endpoint. */
export class ConnectError extends Error {
  override name = 'ConnectError';
  readonly fault: ConnectFault;
  constructor(fault: ConnectFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export interface ConnectorOptions {
  readonly policy: GuardPolicy;
  readonly lookup: Lookup;
  /** For name, connection and TLS together. */
  readonly timeoutMs: number;
}

export interface Connector {
  readonly connect: buildConnector.connector;
  /** Whether every connection to this host (with port) was to a public address. Never `true` again otherwise. */
  isPublic(host: string): boolean;
  /** Gives up the connections that are being opened. */
  close(): void;
}

/** Makes a socket that is destroyed if the attempt fails; throws if the attempt is over. */
type Make = (socketOf: () => Socket) => Socket;

const TRIED_ADDRESSES = 4;
/** Until the next address is tried beside one that is silent. Node's 250 ms are too few for a receiver on another continent. */
const NEXT_ADDRESS_AFTER_MS = 1000;
/** Hosts that are remembered as not public. When there are more, none counts as public: a forgotten one would be shown. */
const PRIVATE_HOSTS = 10_000;

/** A connector for undici. It holds one policy, so live and sandbox need a connector and a pool of connections each. */
export function guardedConnector({ policy, lookup, timeoutMs }: ConnectorOptions): Connector {
  const underWay = new Set<() => void>();
  const privateHosts = new Set<string>();
  return {
    connect({ protocol, host = '' }, callback) {
      const url = new URL(`${protocol}//${host}`);
      const sockets: Socket[] = [];
      const fail = (error: unknown) => {
        if (!finish()) return;
        for (const socket of sockets) socket.destroy();
        callback(connectError(error, url), null);
      };
      const finish = () => {
        clearTimeout(timer);
        return underWay.delete(giveUp);
      };
      const giveUp = () => fail(new ConnectError('broken', 'The server was stopped before it was connected.'));
      const timer = setTimeout(
        () => fail(new ConnectError('timeout', `No connection to ${url.host} within ${timeoutMs / 1000} s.`)),
        timeoutMs,
      );
      underWay.add(giveUp);
      const make: Make = (socketOf) => {
        if (!underWay.has(giveUp)) throw new Error('too late');
        const socket = socketOf();
        sockets.push(socket);
        socket.on('error', () => undefined); // `once` handles it; without a listener it would end the process
        return socket;
      };
      // An error that undici's callback throws is no error of the connection, so `fail` does not get it.
      const succeed = (socket: Socket) => void (finish() && callback(null, withoutInformational(socket)));
      void open(url, make).then(succeed, fail);
    },
    isPublic: (host) => privateHosts.size < PRIVATE_HOSTS && !privateHosts.has(host),
    close() {
      for (const giveUp of underWay) giveUp();
    },
  };

  async function open(url: URL, make: Make): Promise<Socket> {
    const target = await resolveTarget(url, policy, lookup);
    if (!target.ok) throw new ConnectError(target.kind, target.reason);
    const plain = make(() => dial(url, [target, ...target.spare].slice(0, TRIED_ADDRESSES)));
    await once(plain, 'connect');
    // A peer that has closed the connection already has no address.
    if (plain.remoteAddress === undefined)
      throw new ConnectError('broken', `${url.host} closed the connection at once.`);
    const reason = refusePeer(plain.remoteAddress, url, policy);
    if (reason !== null) throw new ConnectError('blocked', reason);
    if (classify(plain.remoteAddress) !== 'public' && privateHosts.size < PRIVATE_HOSTS) privateHosts.add(url.host);
    if (url.protocol === 'http:') return plain;
    const secure = make(() => greet(plain, url));
    await once(secure, 'secureConnect').catch((error: unknown) => {
      throw new ConnectError('tls', tlsFault(error, url));
    });
    return secure;
  }
}

/** Connects to one of the addresses and no other: Node's look-up is answered with them. */
function dial(url: URL, addresses: readonly PinnedAddress[]): Socket {
  const [first] = addresses;
  const lookup: LookupFunction = (_hostname, { all }, answer) =>
    all ? answer(null, [...addresses]) : answer(null, first?.address ?? '', first?.family ?? 0);
  return connectPlain({
    host: literalOf(url) ?? nameOf(url),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    lookup,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  });
}

function greet(plain: Socket, url: URL): Socket {
  const literal = literalOf(url);
  return connectSecure({
    socket: plain,
    host: literal ?? nameOf(url), // the name in the certificate
    servername: literal === null ? nameOf(url) : '', // RFC 6066 allows names only
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true, // NODE_TLS_REJECT_UNAUTHORIZED does not change this
  });
}

function once(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'no reason given';
}

function connectError(error: unknown, { host }: URL): ConnectError {
  if (error instanceof ConnectError) return error;
  const code = codeOf(error);
  if (code === 'ETIMEDOUT') return new ConnectError('timeout', `No connection to ${host}: it did not answer.`);
  if (code === 'ECONNREFUSED') return new ConnectError('refused', `${host} refused the connection (${code}).`);
  return new ConnectError('refused', `${host} could not be reached (${code}).`);
}

const TLS_FAULTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate comes from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the server does not send its intermediate certificate',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  ECONNRESET: 'the connection was closed during the TLS handshake',
  EPROTO: 'it does not speak TLS, or no version of it that is still safe',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
};

function tlsFault(error: unknown, { host }: URL): string {
  const code = codeOf(error);
  return `No secure connection to ${host}: ${TLS_FAULTS[code] ?? 'the TLS handshake failed'} (${code}).`;
}
