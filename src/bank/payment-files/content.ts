/** The bytes of a file as they are stored: compressed with gzip, in base64. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

export const compressed = async (bytes: Buffer): Promise<string> => (await promisify(gzip)(bytes)).toString('base64');

export const decompressed = (content: string): Promise<Buffer> => promisify(gunzip)(Buffer.from(content, 'base64'));
