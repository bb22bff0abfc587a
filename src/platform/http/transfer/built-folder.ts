/**
 * A folder of files that a build has made, with a list of them and their hashes, so no path of a request is ever a path of the disk. It may
 * be built, or built anew, while the service runs. Who serves one: `../docs.ts`, `server/dashboard/site.ts`.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isKnown, takesEncoding } from './validators.ts';

/**
 * How far a build beside this service is. `failed`: it could not be made. `memory`: there was too little for it. `none`: there is none, or it
 * is done.
 */
export type BuildState = 'none' | 'running' | 'failed' | 'memory';

export type AskedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What the list holds, perhaps beside more. A file with `.br` or `.gz` behind its name is that file, compressed. */
export interface BuiltFacts {
  /** The hash of each file, by its path in the folder. */
  readonly files: Readonly<Record<string, string>>;
}

export interface FileAnswer {
  readonly status: number;
  readonly body: string | Buffer;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface BuiltFolder<Facts extends BuiltFacts> {
  readonly facts: Facts;
  /** Whether there is such a file, which is not one compressed. */
  has(file: string): boolean;
  read(file: string): Promise<Buffer>;
  /** A file that is there, as this client takes it: 304 where it has it. `headers`: further ones. */
  answer(file: string, asked: AskedHeaders, headers?: Readonly<Record<string, string>>): Promise<FileAnswer>;
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};
const COMPRESSED = /\.(?:br|gz)$/;
/** Compressed as they are. */
const DENSE = /^(?:image\/png|image\/x-icon|font\/woff2)/;
const compress = promisify(gzip);
/** Its name holds its hash. */
const FOR_EVER = 'public, max-age=31536000, immutable';

export const typeOf = (file: string): string =>
  TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** Reads the list anew when it has changed. `null`: it was not built, or there is no folder. `list`: its name in the folder. */
export function builtFolder<Facts extends BuiltFacts>(
  folder: string | null,
  list: string,
): () => Promise<BuiltFolder<Facts> | null> {
  if (folder === null) return async () => null;
  const file = join(folder, list);
  let known: { readonly madeAtMs: number; readonly built: BuiltFolder<Facts> } | null = null;
  return async () => {
    const found = await stat(file).catch(() => null);
    if (found === null) return null;
    if (known?.madeAtMs !== found.mtimeMs) {
      const facts = JSON.parse(await readFile(file, 'utf8')) as Facts;
      known = { madeAtMs: found.mtimeMs, built: openFolder(folder, facts) };
    }
    return known.built;
  };
}

function openFolder<Facts extends BuiltFacts>(folder: string, facts: Facts): BuiltFolder<Facts> {
  const files = Object.assign(Object.create(null) as Record<string, string>, facts.files);
  /** Made when first asked for; a site is some megabytes. */
  const made = new Map<string, Promise<Buffer>>();
  const read = (file: string) => readFile(join(folder, file));
  const zipped = (file: string): Promise<Buffer> => {
    const body = made.get(file) ?? read(file).then((bytes) => compress(bytes));
    made.set(file, body);
    body.catch(() => made.delete(file));
    return body;
  };
  return {
    facts,
    has: (file) => files[file] !== undefined && !COMPRESSED.test(file),
    read,
    async answer(file, asked, more) {
      const contentType = typeOf(file);
      const encodings = one(asked['accept-encoding']);
      const takesBrotli = files[`${file}.br`] !== undefined && takesEncoding('br', encodings);
      const takesGzip = !DENSE.test(contentType) && takesEncoding('gzip', encodings);
      const encoding = takesBrotli ? 'br' : takesGzip ? 'gzip' : null;
      const tag = `"${files[file]}${encoding === null ? '' : `-${encoding}`}"`;
      const headers = {
        'Cache-Control': file.startsWith('assets/') ? FOR_EVER : 'no-cache',
        Vary: 'Accept-Encoding',
        ETag: tag,
        ...more,
      };
      if (isKnown(tag, one(asked['if-none-match']))) return { status: 304, body: '', contentType, headers };
      if (encoding === null) return { status: 200, body: await read(file), contentType, headers };
      const ready = `${file}.${encoding === 'br' ? 'br' : 'gz'}`;
      const body = await (files[ready] === undefined ? zipped(file) : read(ready));
      return { status: 200, body, contentType, headers: { ...headers, 'Content-Encoding': encoding } };
    },
  };
}

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join() : header);
