/** The bytes of a file as they are stored: compressed with gzip, in base64. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { SealError } from '../../platform/vault/vault.ts';
import type { PaymentFile } from './fields.ts';

export const compressed = async (bytes: Buffer): Promise<string> => (await promisify(gzip)(bytes)).toString('base64');

/** The bytes again. Rejects with `SealError` unless they have the hash of the file. */
export async function bytesOf({ id, sha256 }: Pick<PaymentFile, 'id' | 'sha256'>, content: string): Promise<Buffer> {
  const bytes = await promisify(gunzip)(Buffer.from(content, 'base64'));
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new SealError(`The bytes of payment file ${id} do not have its SHA-256: one of the two was changed.`);
}
