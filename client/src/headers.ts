/** The headers of a request: who asks, with which key, and what the caller adds. Next: `request.ts`. */
import { VERSION } from './generated/operations.ts';
import type { ClientOptions, HeaderValues, RequestOptions } from './options.ts';

const OPTION_OF: Readonly<Record<string, string>> = {
  authorization: 'apiKey',
  'idempotency-key': 'idempotencyKey',
  'bursar-version': 'version',
};

interface Runtime {
  readonly process?: { readonly versions?: Readonly<Record<string, string>>; readonly platform?: string };
}

/** `bursar-node/0.1.0 node/20.20.2 linux`; nothing in a browser, which has a name of its own. */
function agentOf({ process }: Runtime): string | undefined {
  const { versions = {}, platform = '' } = process ?? {};
  const runtime = ['bun', 'deno', 'node'].find((name) => versions[name] !== undefined);
  return runtime && `bursar-node/${VERSION} ${runtime}/${versions[runtime]} ${platform}`.trimEnd();
}
const AGENT = agentOf(globalThis as Runtime);

/** Throws `TypeError` for a key that is empty, and for any key in a browser unless that is allowed. */
export function checkKey(apiKey: string | undefined, isAllowed: boolean | undefined): void {
  if (apiKey === undefined) return;
  if (apiKey.trim() === '')
    throw new TypeError('apiKey is empty. Is the variable set that should hold it? To send no key, leave apiKey out.');
  if (isAllowed === true || !('window' in globalThis && 'document' in globalThis)) return;
  throw new TypeError(
    'An API key in a browser can be read by everybody who uses the page. Send requests to a server of your own, which adds the key, and leave apiKey out. If you know what you do: dangerouslyAllowBrowser: true.',
  );
}

/** Later ones count. Throws `TypeError` for a header that has an option of its own, and for one that HTTP cannot carry. */
export function headersOf(
  client: ClientOptions,
  own: HeaderValues | undefined,
  options: RequestOptions,
  idempotencyKey: string | undefined,
): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  if (AGENT !== undefined) headers.set('User-Agent', AGENT);
  const given = typeof client.headers === 'function' ? client.headers() : client.headers;
  for (const [name, value] of [...Object.entries(given ?? {}), ...Object.entries(options.headers ?? {})]) {
    const option = OPTION_OF[name.toLowerCase()];
    if (option !== undefined) throw new TypeError(`The header ${name} is made from the option ${option}. Use that.`);
    headers.set(name, value);
  }
  for (const [name, value] of Object.entries(own ?? {})) headers.set(name, value);
  const apiKey = options.apiKey ?? client.apiKey;
  checkKey(apiKey, client.dangerouslyAllowBrowser);
  const version = options.version ?? client.version;
  if (apiKey !== undefined) headers.set('Authorization', `Bearer ${apiKey.trim()}`);
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  if (version !== undefined) headers.set('Bursar-Version', version);
  return headers;
}
