/** Refusals before anything is sent, for callers without a compiler: options that nobody knows, and options in the wrong place. */
import { type ClientOptions, OF_CALLS, OF_CLIENTS, OF_REQUESTS, OF_STREAMS } from './options.ts';

/** No parameter is called so; `headers` and `version` may be either. */
const NO_PARAMETERS = ['apiKey', 'idempotencyKey', 'maxRetries', 'signal', 'timeout', 'lastEventId', 'silentMs'];

/**
 * Throws `TypeError` for options that are no object, and for an option that `taker` does not know. The error names the option, those that there
 * are, and the near one, or else `advice`.
 */
export function refuseUnknown(
  options: unknown,
  known: Readonly<Record<string, true>>,
  taker: string,
  advice = '',
): void {
  if (options === undefined) return;
  const all = Object.keys(known).join(', ');
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      `The options of ${taker} are an object, not ${options === null ? 'null' : `a ${typeof options}`}. There are ${all}.`,
    );
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const near = nearest(unknown, Object.keys(known));
  const hint = near === undefined ? advice : ` Did you mean ${near}?`;
  throw new TypeError(`${unknown} is no option of ${taker}; there are ${all}.${hint}`);
}

/** As `refuseUnknown`, of `createClient`. Throws `TypeError` as well where `url` is no address of a server. */
export function refuseOfClient(options: unknown): void {
  refuseUnknown(options ?? {}, OF_CLIENTS, 'createClient');
  const url: unknown = (options as Partial<ClientOptions> | undefined)?.url;
  if (URL.canParse(String(url)) && /^https?:/i.test(String(url))) return;
  const given = url === undefined ? 'missing' : `${JSON.stringify(url)}, which is no address`;
  throw new TypeError(`url is ${given}. Is the variable set that should hold it? An example: https://pay.example.com.`);
}

/** As `refuseUnknown`, of `request`. */
export const refuseOfRequest = (options: unknown): void => refuseUnknown(options, OF_REQUESTS, 'request');

/** As `refuseUnknown`, of a method. Throws `TypeError` as well for an option among the parameters. */
export function refuseMisplaced(params: unknown, options: unknown, isStream: boolean): void {
  const misplaced = Object.keys(params ?? {}).find((name) => NO_PARAMETERS.includes(name));
  if (misplaced !== undefined)
    throw new TypeError(`${misplaced} is an option. Options stand behind the parameters: (id, {}, { ${misplaced} }).`);
  const advice = ' Parameters stand before the options: (id, { … }, {}).';
  refuseUnknown(options, isStream ? OF_STREAMS : OF_CALLS, isStream ? 'a stream' : 'a call', advice);
}

const flat = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** `api_key`, `key` and `apikye` are near `apiKey`: the same but for case, a part of it, or at most two letters apart. */
function nearest(name: string, allowed: readonly string[]): string | undefined {
  const asked = flat(name);
  if (asked.length < 3 || asked.length > 40) return undefined;
  const isPart = (each: string) => each.includes(asked) || asked.includes(each);
  return (
    allowed.find((each) => flat(each) === asked) ??
    allowed.find((each) => isPart(flat(each))) ??
    allowed.find((each) => distance(asked, flat(each)) <= 2)
  );
}

/** Letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...a].entries()) {
    const next = [line + 1];
    for (const [at, other] of [...b].entries())
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
