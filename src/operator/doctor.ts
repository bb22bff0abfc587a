/**
 * What `bursar doctor` looks at. Every fault says which command or setting mends it. Changes nothing. Next:
 * `doctor-database.ts`, `doctor-network.ts`.
 */
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { parseRates } from '../ledger/live-rates/rates-document.ts';
import { lastGoodDay, whyNotGood } from '../ledger/exchanges/staleness.ts';
import { databaseFindings, type DatabaseFacts, type OpenDatabase } from './doctor-database.ts';
import { networkFindings } from './doctor-network.ts';
import { type Finding, fine, judged, wrong } from './finding.ts';
import { CHECKS, OWN_USER } from './hardening.ts';
import { documentSettings } from '../ledger/live-rates/live-rates.ts';
import { hasDatabase, isEmpty, placeOf, WHERE_TO_LOOK } from './installation.ts';
import { isExposed } from './private-targets.ts';
import { ratesFetcher } from '../ledger/live-rates/rates-fetch.ts';
import { userOfListener } from './server-user.ts';
import { isOpenToOthers, isOwnSecret, keptSecrets, SECRET_FILE } from './server-secret.ts';
import { guide } from './guide.ts';

/** As in `engines` of package.json. */
const MIN_NODE = [20, 19] as const;
const MIN_FREE_BYTES = 2e9;
const MIN_FREE_SHARE = 0.1;

type Look = (open: OpenDatabase) => Promise<DatabaseFacts | null>;

/** The finding that says where the others were made. Where it is wrong, there is no installation, and nothing else was looked at but the machine. */
export const INSTALLATION = 'Installation';

/** All findings: the installation, then in the order in which to mend them. `onDatabase` opens the database, and rejects when it cannot be reached. */
export async function examine(
  config: Config,
  onDatabase: (look: Look) => Promise<DatabaseFacts | null>,
): Promise<readonly Finding[]> {
  const node = nodeVersion(process.versions.node);
  const noneThere = wrong(INSTALLATION, `there is none in ${placeOf(config)}`, WHERE_TO_LOOK);
  if (!hasDatabase(config)) return [noneThere, node];
  let isThere = true;
  const findings: Finding[] = [node, await secret(config), ...disk(config)];
  const look: Look = async (open) => {
    isThere = !(await isEmpty(open.client));
    return isThere ? databaseFindings(config, open, findings) : null;
  };
  const facts = await onDatabase(look).catch((error: Error) => {
    findings.push(wrong('Database', error.message, 'set DATABASE_URL, or look at the log of the server'));
    return null;
  });
  if (!isThere) return [noneThere, node];
  findings.unshift(fine(INSTALLATION, `${placeOf(config)}, at ${addressOf(config)}`));
  findings.push(
    await rates(config, facts),
    ...hardening(config, facts),
    ...(await networkFindings(config, facts?.endpoints ?? [])),
  );
  return findings;
}

/** Where a client finds the server, and the settings that say so. */
const addressOf = ({ publicUrl, host, port }: Config): string =>
  publicUrl === ''
    ? `http://${host.includes(':') ? `[${host}]` : host}:${port} (HOST and PORT)`
    : `${publicUrl} (BURSAR_PUBLIC_URL)`;

/** `version`: as in `process.versions.node`. */
export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  const old = !isNew && `${version} is too old; ${MIN_NODE.join('.')} or newer is needed`;
  return judged('Node', version, old, 'install Node 22 or 24 (https://nodejs.org)');
}

async function secret(config: Config): Promise<Finding> {
  const title = 'Server secret';
  try {
    const kept = await keptSecrets(config);
    if (kept === null) return fine(title, 'none yet; the first start makes it');
  } catch (error) {
    return wrong(title, (error as Error).message, 'put the secret back from where you keep it');
  }
  const path = isOwnSecret(config) ? join(config.dataDir, SECRET_FILE) : config.secretFile;
  if (path === null) return fine(title, 'in BURSAR_SECRET');
  return judged(title, path, isOpenToOthers(path) && `${path} can be read by other users`, `chmod 600 ${path}`);
}

/** Of the data folder; the disk of a PostgreSQL of one's own is not seen from here. */
function disk({ databaseUrl, dataDir }: Config): Finding[] {
  if (databaseUrl !== null) return [];
  if (statSync(dataDir, { throwIfNoEntry: false }) === undefined) return [];
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const words = `${(free / 1e9).toFixed(1)} GB free of ${(all / 1e9).toFixed(1)} GB, in ${dataDir}`;
  const isRoomy = free >= MIN_FREE_BYTES && (free >= all * MIN_FREE_SHARE || free >= 10 * MIN_FREE_BYTES);
  return [judged('Disk', words, !isRoomy && words, 'make room, or move the folder and name it in BURSAR_DATA')];
}

async function rates(config: Config, facts: DatabaseFacts | null): Promise<Finding> {
  const title = 'Live rates';
  const { ratesFile: path, ratesUrl: url, ratesBusinessDays } = config;
  if (path === null && url === null) {
    return facts === null || facts.liveKeys === 0
      ? fine(title, 'none; the sandbox has its own')
      : fine(title, 'none: live exchanges answer rate_unavailable until BURSAR_RATES_FILE or BURSAR_RATES_URL is set');
  }
  const mend = `${path === null ? 'look at BURSAR_RATES_URL' : `write ${path} anew`} (${guide('exchange-rates.md')})`;
  try {
    const text = path === null ? await fetched(url as string) : readFileSync(path, 'utf8');
    const filed = parseRates(text, documentSettings(config));
    const why = whyNotGood(filed.at, Date.now(), ratesBusinessDays);
    if (why !== null) return wrong(title, `${why}: live exchanges answer rate_unavailable`, mend);
    const hours = Math.max(0, (Date.now() - filed.at) / 3_600_000).toFixed(1);
    return fine(title, `${hours} h old, good until the end of ${lastGoodDay(filed.at, ratesBusinessDays)} (UTC)`);
  } catch (error) {
    const name = path ?? 'what BURSAR_RATES_URL leads to';
    return wrong(title, `${name} cannot be used: ${(error as Error).message}`, mend);
  }
}

async function fetched(url: string): Promise<string> {
  const fetcher = ratesFetcher(url);
  return fetcher.fetch().finally(() => fetcher.close());
}

/** Rows of the checklist, where others reach the service or there are live keys. A first try on one's own machine is fine. */
function hardening(config: Config, facts: DatabaseFacts | null): Finding[] {
  const isFirstTry = !isExposed(config) && (facts?.liveKeys ?? 0) === 0;
  if (isFirstTry)
    return [fine('Hardening', 'not needed: only this machine reaches the service, and there are no live keys')];
  const login = facts?.login ?? { isSuperuser: false, isOwner: false, hasRights: true };
  const user = userOfListener(config.port);
  const about = { config, login, liveKeys: facts?.liveKeys ?? 0, isRoot: user === 0 };
  const words: Readonly<Record<string, string>> = {
    [OWN_USER]:
      user === null
        ? `not known: nothing listens on port ${config.port} of this machine; look again while the server runs`
        : `the server runs as ${nameOf(user)}`,
  };
  return CHECKS.map(({ title, find }) =>
    judged(
      title,
      words[title] ?? 'as in the hardening checklist',
      find(about),
      `${guide('operating.md')}#hardening-checklist`,
    ),
  );
}

/** The name of a user, where the list of users has one. */
function nameOf(uid: number): string {
  const list = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  const name = list.split('\n').find((line) => line.split(':')[2] === String(uid));
  return name === undefined ? `user ${uid}` : `user ${name.split(':', 1)[0]} (${uid})`;
}
