/**
 * Where an installation that others reach, or with live keys, falls short of the hardening checklist
 * (docs/guides/operating.md). Pure.
 */
import type { Config } from '../config.ts';
import type { LoginFacts } from '../platform/db/roles.ts';
import { isExposed, LOOPBACK_HOST } from './private-targets.ts';
import { guide } from './guide.ts';

export interface HardeningFacts {
  readonly config: Pick<
    Config,
    | 'databaseUrl'
    | 'host'
    | 'publicUrl'
    | 'requestsPerSecond'
    | 'trustedProxies'
    | 'unsafeDurability'
    | 'webhookPrivateTargets'
  >;
  /** Of the server's login. */
  readonly login: LoginFacts;
  /** Keys of live environments that work. */
  readonly liveKeys: number;
  readonly isRoot: boolean;
}

export const OWN_USER = 'A user of its own';

/** `title`: as in the guide. `find`: what is wrong and what to do; `null` when nothing is. */
export const CHECKS: readonly { readonly title: string; find(facts: HardeningFacts): string | null }[] = [
  {
    title: 'TLS in front',
    find: ({ config: { host, publicUrl } }) =>
      LOOPBACK_HOST.test(host) || publicUrl.startsWith('https:')
        ? null
        : `HOST is ${host}, and there is no TLS: keys and bank details can be read on the way. Put a proxy in front (deploy/), set BURSAR_PUBLIC_URL=https://…, and HOST=127.0.0.1 if the proxy is on this machine.`,
  },
  {
    title: 'Trusted proxies',
    find: ({ config: { publicUrl, trustedProxies } }) =>
      publicUrl === '' || trustedProxies.rules.length > 0
        ? null
        : 'BURSAR_TRUSTED_PROXIES is not set: all clients behind the proxy share the limits of one address. Name the proxy, for example 127.0.0.1.',
  },
  {
    title: 'A login of its own',
    find: ({ config: { databaseUrl }, login: { isOwner, isSuperuser } }) =>
      databaseUrl === null || (!isOwner && !isSuperuser)
        ? null
        : `The login in DATABASE_URL ${isSuperuser ? 'is a superuser' : 'owns the tables'}, so a statement that is smuggled in could change transfers and keys. Give the server a login of its own and set DATABASE_OWNER_URL (${guide('operating/database.md')}, "Your own").`,
  },
  {
    title: 'Private targets',
    find: ({ config: { webhookPrivateTargets: targets } }) =>
      targets === null || targets === 'none'
        ? null
        : `BURSAR_WEBHOOK_PRIVATE_TARGETS=${targets} lets every sandbox key send requests to ${targets === 'private' ? 'private networks' : 'this machine'}. Set it to none unless all keys are yours.`,
  },
  {
    title: 'Durability',
    find: ({ config: { unsafeDurability } }) =>
      unsafeDurability ? 'BURSAR_ALLOW_UNSAFE_DURABILITY=true: a power cut can lose acknowledged payouts.' : null,
  },
  {
    title: 'Request limits',
    find: ({ config: { requestsPerSecond } }) =>
      requestsPerSecond > 0 ? null : 'BURSAR_RATE_LIMIT=0: one key can take all of the service.',
  },
  {
    title: OWN_USER,
    find: ({ isRoot }) =>
      isRoot ? 'The server runs as root: whoever breaks in has the machine. Start it as a user of its own.' : null,
  },
];

/** One line for each check that falls short; none for a first try on one's own machine. */
export function shortcomings(facts: HardeningFacts): string[] {
  if (!isExposed(facts.config) && facts.liveKeys === 0) return [];
  return CHECKS.flatMap(({ title, find }) => {
    const found = find(facts);
    return found === null ? [] : [`${title}: ${found}`];
  });
}
