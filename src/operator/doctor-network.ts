/**
 * What `bursar doctor` tries on the network: names, the public address, the receivers of webhooks. Sends nothing to
 * them. Part of `doctor.ts`.
 */
import { connect } from 'node:net';
import type { Config } from '../config.ts';
import { fetch } from '../platform/outbound/fetch.ts';
import { systemLookup } from '../platform/outbound/lookup.ts';
import { checkTarget, nameOf } from '../platform/outbound/guard.ts';
import type { Endpoint } from './doctor-database.ts';
import { type Finding, fine, judged, wrong } from './finding.ts';
import { isExposed, privateTargetsOf } from './private-targets.ts';

const PATIENCE_MS = 5_000;

/** `endpoints`: that deliveries go to. */
export async function networkFindings(config: Config, endpoints: readonly Endpoint[]): Promise<Finding[]> {
  const tried = await Promise.all(endpoints.map((each) => receiver(config, each)));
  const unreached = tried.filter((why) => why !== null);
  const mend = 'allow connections to it, or see its deliveries: GET /v1/deliveries';
  const receivers = unreached.map((why) => wrong('Webhook receiver', why, mend));
  const words = endpoints.length === 0 ? 'none yet' : `${endpoints.length} take connections`;
  if (unreached.length === 0) receivers.push(fine('Webhook receivers', words));
  return [await publicAddress(config), ...receivers];
}

async function publicAddress(config: Config): Promise<Finding> {
  const title = 'Public address';
  const { publicUrl } = config;
  if (publicUrl === '') {
    const local = isExposed(config) && 'others reach the service, and links in answers lead to its local address';
    return judged(title, 'none; only this machine reaches the service', local, 'set BURSAR_PUBLIC_URL');
  }
  try {
    await systemLookup(nameOf(new URL(publicUrl)));
  } catch {
    return wrong(title, `the name in ${publicUrl} is not found (DNS)`, 'make its record, or look at /etc/resolv.conf');
  }
  const mend = 'look at the proxy (deploy/), and whether the service runs: bursar start';
  try {
    const response = await fetch(`${publicUrl}/livez`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
    const isOurs = response.ok && ((await response.json()) as { status?: unknown }).status === 'ok';
    const foreign = !isOurs && `${publicUrl}/livez answers ${response.status}, and not as Bursar does`;
    return judged(title, `${publicUrl} leads here, seen from this machine`, foreign, mend);
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return wrong(title, `${publicUrl}/livez is not reached (${cause?.code ?? message})`, mend);
  }
}

/** Why a receiver takes no connection; `null`: it does. */
async function receiver(config: Config, { url, livemode }: Endpoint): Promise<string | null> {
  const target = new URL(url);
  const words = (why: string) => `${target.host} ${why}`;
  const allowed = await checkTarget(url, { livemode, privateTargets: privateTargetsOf(config, 1) });
  if (!allowed.ok) return words(`may not be reached: ${allowed.reason}`);
  try {
    await systemLookup(nameOf(target));
  } catch {
    return words('is not found (DNS)');
  }
  const port = Number(target.port) || (target.protocol === 'http:' ? 80 : 443);
  return new Promise((resolve) => {
    const socket = connect({ host: nameOf(target), port, timeout: PATIENCE_MS });
    const end = (why: string | null) => {
      socket.destroy();
      resolve(why === null ? null : words(why));
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end('takes no connection (time-out)'));
    socket.once('error', ({ code, message }: NodeJS.ErrnoException) => end(`takes no connection (${code ?? message})`));
  });
}
