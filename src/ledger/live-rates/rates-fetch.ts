/**
 * Fetches a document of rates by HTTPS, behind the guard of live webhooks, bounded in time and bytes, without
 * redirects. Errors name the host, never the URL, which may hold a key. Who asks: `live-rates.ts`.
 */
import { Agent } from 'undici';
import { VERSION } from '../../core/values/version.ts';
import { guardedConnector } from '../../platform/outbound/connect.ts';
import { checkUrl, type GuardPolicy, RATES_POLICY } from '../../platform/outbound/guard.ts';
import { type Lookup, systemLookup } from '../../platform/outbound/lookup.ts';

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The history of the ECB is a few megabytes of XML; a day is 2 kB. */
const MAX_BYTES = 1_048_576;

export interface RatesFetcher {
  /** The document. Rejects with an error whose message is for the operator. */
  fetch(): Promise<string>;
  close(): Promise<void>;
}

/** `reach`: other ways there, in tests. */
export function ratesFetcher(
  url: string,
  reach: { readonly policy?: GuardPolicy; readonly lookup?: Lookup; readonly timeoutMs?: number } = {},
): RatesFetcher {
  const { policy = RATES_POLICY, lookup = systemLookup, timeoutMs = TIMEOUT_MS } = reach;
  const connector = guardedConnector({ policy, lookup, timeoutMs: CONNECT_TIMEOUT_MS });
  const agent = new Agent({ connect: connector.connect, maxResponseSize: MAX_BYTES, keepAliveTimeout: 1 });
  return {
    async fetch() {
      const checked = checkUrl(url, policy);
      if (!checked.ok) throw new Error(checked.reason);
      const { origin, pathname, search, host } = checked.url;
      const path = pathname + search;
      const signal = AbortSignal.timeout(timeoutMs);
      const accept = 'application/xml, application/json, text/csv';
      const headers = { accept, 'user-agent': `Bursar/${VERSION} (+rates)` };
      try {
        const { statusCode, body } = await agent.request({ origin, path, method: 'GET', headers, signal });
        if (statusCode === 200) return await body.text();
        await body.dump();
        const redirect = statusCode >= 300 && statusCode < 400 ? ' Redirects are not followed.' : '';
        throw new Error(`${host} answered ${statusCode}.${redirect}`);
      } catch (error) {
        throw inWords(error, host, timeoutMs);
      }
    },
    async close() {
      connector.close();
      await agent.destroy();
    },
  };
}

function inWords(error: unknown, host: string, timeoutMs: number): Error {
  const { name, code, message } = error as { name?: string; code?: string; message: string };
  if (name === 'TimeoutError') return new Error(`${host} gave no whole answer within ${timeoutMs / 1000} s.`);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new Error(`${host} answered with more than ${MAX_BYTES} bytes.`);
  return new Error(message);
}
