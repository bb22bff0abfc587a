/**
 * URLs, open secrets and headers of endpoints: kept for a second, and read again at once when a delivery needs a newer version.
 */
import type { ClaimedDelivery } from './delivery.ts';
import type { WebhookEndpoint } from './fields.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Past, Versions } from '../../platform/http/version/versions.ts';
import { loadEndpointsOf, WEBHOOK_ENDPOINTS } from './sql.ts';

/** So long another process may still use old settings. */
export const FRESH_MS = 1_000;

export interface Target {
  readonly url: string;
  /** Open secrets, newest first, each with the instant it stops signing (environment clock). */
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: number | null }[];
  /** The owner's own, open. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of an older version of the API, in which events are sent; `null`: the newest. */
  readonly past: Past | null;
  /** Why nothing can be signed, such as secrets that were sealed under another server secret. */
  readonly fault: string | null;
}

interface Entry {
  readonly version: bigint;
  readonly readAtMs: number;
  /** `null`: disabled or deleted. */
  readonly target: Target | null;
}

export interface TargetsOptions {
  readonly versions: Versions;
  rows(statement: Statement): Promise<readonly Row[]>;
  open(sealed: string, endpointId: string): string;
  openHeader(sealed: string, endpointId: string): string;
}

export class Targets {
  private readonly options: TargetsOptions;
  private readonly entries = new Map<string, Entry>();
  private readonly reading = new Map<string, Promise<ReadonlyMap<string, Target | null>>>();

  constructor(options: TargetsOptions) {
    this.options = options;
  }

  /** The target of a delivery; `null` when its endpoint is disabled or deleted. A promise only if it must be read. */
  of(delivery: ClaimedDelivery, nowMs: number): Target | null | Promise<Target | null> {
    const entry = this.entries.get(delivery.endpointId);
    const isFresh = entry && entry.version >= delivery.endpointsVersion && nowMs - entry.readAtMs < FRESH_MS;
    return isFresh ? entry.target : this.read(delivery, nowMs);
  }

  /** Treats the endpoint as disabled until its settings are read again. */
  close({ endpointId, endpointsVersion: version }: ClaimedDelivery, nowMs: number): void {
    this.entries.set(endpointId, { version, readAtMs: nowMs, target: null });
  }

  /** Call when the database may be another or an earlier one than before. */
  forget(): void {
    this.entries.clear();
    this.reading.clear();
  }

  private async read(delivery: ClaimedDelivery, nowMs: number): Promise<Target | null> {
    const { environmentId, endpointId, endpointsVersion: version } = delivery;
    const key = `${environmentId} ${version}`;
    let reading = this.reading.get(key);
    if (!reading) {
      reading = this.readEnvironment(environmentId, version, nowMs).finally(() => this.reading.delete(key));
      this.reading.set(key, reading);
    }
    const target = (await reading).get(endpointId);
    if (target !== undefined) return target;
    this.entries.delete(endpointId); // deleted
    return null;
  }

  private async readEnvironment(environmentId: string, version: bigint, nowMs: number) {
    const targets = new Map<string, Target | null>();
    const rows = await this.options.rows(loadEndpointsOf([environmentId]));
    for (const row of rows) {
      const endpoint = WEBHOOK_ENDPOINTS.read(row);
      const target = endpoint.status === 'enabled' ? this.targetOf(endpoint) : null;
      targets.set(endpoint.id, target);
      this.entries.set(endpoint.id, { version, readAtMs: nowMs, target });
    }
    return targets;
  }

  private targetOf({ id, url, version, secrets, headers: sealedHeaders }: WebhookEndpoint): Target {
    const { past } = this.options.versions.pinned(version);
    try {
      const open = secrets.map(({ sealed, expiresAt }) => ({ secret: this.options.open(sealed, id), expiresAt }));
      const headers = Object.fromEntries(
        sealedHeaders.map(({ name, sealed }) => [name, this.options.openHeader(sealed, id)]),
      );
      return { url, secrets: open, headers, past, fault: null };
    } catch (error) {
      return { url, secrets: [], headers: {}, past, fault: (error as Error).message };
    }
  }
}
