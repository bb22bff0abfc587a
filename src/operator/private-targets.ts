/**
 * Which addresses that are not public the webhooks of sandboxes may go to. On a laptop the receiver is there too; on a
 * server that others reach, a merchant’s key could knock at doors behind it. So without a setting it depends on who
 * reaches the service, and on how many merchants there are.
 */
import type { Config } from '../config.ts';
import type { PrivateTargets } from '../platform/outbound/private-targets.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';

/** A merchant may be made by the command line meanwhile. */
const FRESH_MS = 5_000;

export interface TargetPolicy {
  /** As of the last look; an old one is renewed behind the call. Not a promise: asked at every delivery. */
  now(): PrivateTargets;
  /** Whether deliveries may show what such receivers answer: only on the laptop of the first paragraph. */
  showsAnswers(): boolean;
  /** Looked up when the last look is old. Rejects when the database is away. */
  latest(): Promise<PrivateTargets>;
}

type Settings = Pick<Config, 'webhookPrivateTargets' | 'host' | 'publicUrl' | 'trustedProxies'>;

export interface PolicyOptions {
  readonly config: Settings;
  rows(statement: Statement): Promise<readonly Row[]>;
}

const MERCHANTS: Statement = {
  name: 'count_merchants',
  text: 'SELECT count(*)::int4 AS merchants FROM (SELECT FROM merchants LIMIT 2) AS m',
  values: [],
};

export const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/** Loopback while nobody else reaches the service and all sandboxes are of one merchant. */
export function privateTargetsOf(settings: Settings, merchants: number): PrivateTargets {
  if (settings.webhookPrivateTargets !== null) return settings.webhookPrivateTargets;
  return isExposed(settings) || merchants > 1 ? 'none' : 'loopback';
}

/** Whether others than this machine reach the service, as far as the settings tell: by its address, or through a proxy. */
export function isExposed({ host, publicUrl, trustedProxies }: Omit<Settings, 'webhookPrivateTargets'>): boolean {
  return !LOOPBACK_HOST.test(host) || publicUrl !== '' || trustedProxies.rules.length > 0;
}

export function targetPolicy({ config, rows }: PolicyOptions): TargetPolicy {
  let known: PrivateTargets = config.webhookPrivateTargets ?? 'none';
  let knownMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<PrivateTargets> | null = null;
  const isFresh = () => config.webhookPrivateTargets !== null || performance.now() - knownMs < FRESH_MS;
  const look = async () => {
    const [row] = await rows(MERCHANTS);
    known = privateTargetsOf(config, row?.['merchants'] as number);
    knownMs = performance.now();
    return known;
  };
  const latest = async () => {
    if (isFresh()) return known;
    looking ??= look().finally(() => (looking = null));
    return looking;
  };
  return {
    latest,
    showsAnswers: () => config.webhookPrivateTargets === null && known === 'loopback',
    now() {
      if (!isFresh()) latest().catch(() => undefined); // looked up again at the next delivery
      return known;
    },
  };
}
