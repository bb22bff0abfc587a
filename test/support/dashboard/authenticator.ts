/**
 * An authenticator in this process: makes real passkeys (P-256, attestation `none`) and signs with them, as a device does that has verified its
 * person. Each part can be made wrong, for the tests of what is refused. Bytes: WebAuthn Level 3, section 6; CBOR: RFC 8949; keys: RFC 9053.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What can be wrong with an answer. */
export interface Faults {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** The device has not verified its person. */
  readonly unverified?: boolean;
  /** The count of signatures stays as it was. */
  readonly sameCount?: boolean;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** The head of a CBOR item: its major type and a number below 2^16. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const integer = (value: number): Buffer => (value >= 0 ? head(0, value) : head(1, -1 - value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (pairs: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

/** The public key as COSE has it: EC2, ES256, P-256, x and y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return map([
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y, 'base64url'))],
  ]);
}

interface Asked {
  readonly challenge: string;
  readonly [name: string]: unknown;
}

/** One passkey of one person, for one place. */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  readonly #rpId: string;
  #count = 0;

  constructor(origin: string, rpId = new URL(origin).hostname) {
    this.#origin = origin;
    this.#rpId = rpId;
  }

  /** The answer to `navigator.credentials.create`, as a browser sends it. */
  create(options: Asked, faults: Faults = {}): object {
    const about = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      coseKey(this.#keys.publicKey),
    ]);
    const data = Buffer.concat([this.#data(ATTESTED, faults), about]);
    const attestation = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(data)],
    ]);
    const response = {
      clientDataJSON: this.#client('webauthn.create', options, faults).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    };
    return this.#credential(response);
  }

  /** The answer to `navigator.credentials.get`. */
  get(options: Asked, faults: Faults = {}): object {
    const client = this.#client('webauthn.get', options, faults);
    const data = this.#data(0, faults);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #credential(response: object): object {
    const id = this.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response,
    };
  }

  #client(type: string, { challenge }: Asked, faults: Faults): Buffer {
    const origin = faults.origin ?? this.#origin;
    return Buffer.from(JSON.stringify({ type, challenge: faults.challenge ?? challenge, origin, crossOrigin: false }));
  }

  #data(flags: number, { rpId = this.#rpId, unverified = false, sameCount = false }: Faults): Buffer {
    if (!sameCount) this.#count += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#count);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | PRESENT | (unverified ? 0 : VERIFIED)]), count]);
  }
}
