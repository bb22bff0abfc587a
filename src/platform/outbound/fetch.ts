/**
 * `fetch` for commands, to addresses that a person has given. It differs from Node's in one thing: an informational answer
 * that nobody asked for does not break it. It guards nothing: what keys register goes by `connect.ts`.
 */
import { globalAgent } from 'node:http';
import { tolerantConnector } from './informational.ts';

/** Node that was told to use a proxy (NODE_USE_ENV_PROXY) does so in its own `fetch`; ours would go past the proxy. */
const usesProxy = () => (globalAgent as { options?: { proxyEnv?: object } }).options?.proxyEnv !== undefined;

/** Loaded when it is called: no other command waits for it. */
const load = async (): Promise<typeof globalThis.fetch> => {
  if (usesProxy()) return globalThis.fetch;
  const { Agent, buildConnector, fetch } = await import('undici');
  const dispatcher = new Agent({ connect: tolerantConnector(buildConnector({})) });
  const ours = (url: string, init: object = {}) => fetch(url, { ...init, dispatcher });
  return ours as unknown as typeof globalThis.fetch; // the same, in the types of another version
};
let loaded: ReturnType<typeof load> | undefined;

export const fetch: typeof globalThis.fetch = async (input, init) => (await (loaded ??= load()))(input, init);
