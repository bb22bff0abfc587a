/**
 * The composition root: every part is made here and handed what it needs. Starts everything on a migrated database and
 * stops it in the opposite order. Who calls this: `main.ts`, and tests.
 */
import { actorNames, expansionsOf } from './expansions.ts';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { CommitFanout } from './commit-fanout.ts';
import type { Config } from '../config.ts';
import type { Actor } from '../core/actor.ts';
import { RequestError } from '../core/values/errors.ts';
import { isConnectionLost } from '../platform/db/wire/connection-lost.ts';
import { refreshingPlans } from '../platform/db/plan-refresh.ts';
import { openPools } from '../platform/db/pool.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { sequencesBetween } from '../events/log/range.ts';
import { eventRenderer } from '../events/log/schema.ts';
import { EventStreams } from '../events/log/stream.ts';
import type { BuildState } from '../platform/http/transfer/built-folder.ts';
import { loggable } from '../platform/http/errors.ts';
import { registry } from '../platform/http/metrics.ts';
import { responseCache } from '../platform/http/cache/response-cache.ts';
import type { Answer, Call } from '../platform/http/route.ts';
import { buildServer } from '../platform/http/server.ts';
import type { Service } from '../platform/http/service.ts';
import { Versions } from '../platform/http/version/versions.ts';
import { authenticator, refusedKeys } from '../tenancy/keys/authenticate.ts';
import { keyMaker } from '../tenancy/keys/keys.ts';
import type { RecipientParts } from '../paying/recipients/routes.ts';
import { paymentFiles } from './bank-export.ts';
import { bankImports } from './bank-import.ts';
import { startFigures, summaryLag, watchRates } from './figures.ts';
import { startRates } from '../ledger/live-rates/live-rates.ts';
import { batchCommands, batchSeconds, countPayouts, workerLeases } from './payout-metrics.ts';
import { watchDisk } from './process-metrics.ts';
import { connector } from '../write/connector.ts';
import { withWriter } from '../operator/operator.ts';
import { secretIdOf, type ServerSecrets } from '../platform/vault/vault.ts';
import { type KeyParts } from '../tenancy/keys/routes.ts';
import { linkMaker } from '../tenancy/people/links.ts';
import { userParts } from '../tenancy/people/parts.ts';
import { EXPIRY } from '../collecting/payments/expiry.ts';
import { faultPage } from '../collecting/checkout/routes.ts';
import { composePaymentPages } from './checkout.ts';
import { internal } from '../write/internal.ts';
import { targetPolicy } from '../operator/private-targets.ts';
import { localAddress } from './banner.ts';
import type { BuildName } from './builds.ts';
import { dashboardDoor } from './dashboard/door.ts';
import { linksLeadTo } from './dashboard/origin.ts';
import { dashboardSite } from './dashboard/site.ts';
import { installed } from '../platform/http/docs.ts';
import { homeOf } from './home.ts';
import { fillSandbox } from '../operator/bootstrap.ts';
import { startHousekeeping } from './housekeeping.ts';
import { sandboxReset } from './reset.ts';
import { startRollUp } from '../reports/summary/roll-up.ts';
import { paymentFileVault } from '../bank/payment-files/sealing.ts';
import { startRequestLog } from '../reports/request-logs/log.ts';
import { startVerification } from './verification.ts';
import { type SettlementDelay } from '../paying/payouts/routes.ts';
import { fundingWork } from '../paying/payouts/funding.ts';
import { settlementWork } from '../paying/payouts/settlement.ts';
import { standingOrderWork } from '../paying/standing-orders/runs.ts';
import { STATEMENT_ISSUING } from '../ledger/statements/issuing.ts';
import { type DueWork, startDueWorker } from '../platform/workers/due-worker.ts';
import { Lease } from '../platform/workers/lease.ts';
import { CommitSignal } from '../platform/workers/commit-signal.ts';
import { VERSION } from '../core/values/version.ts';
import { environmentVersions } from '../platform/http/cache/environment-version.ts';
import { Dispatcher } from '../events/webhooks/dispatcher.ts';
import { checkTarget } from '../platform/outbound/guard.ts';
import type { WebhookParts } from '../events/webhooks/routes.ts';
import { headerBox, secretBox } from '../events/webhooks/signature.ts';
import { createSender } from '../events/webhooks/send.ts';
import { type Command, isAudited } from '../write/slices.ts';
import { type Fingerprinter, fingerprinter } from '../write/fingerprint.ts';
import { ownRecordKey } from '../write/idempotency.ts';
import { originOf } from '../write/origin.ts';
import type { Submission } from '../write/submission.ts';
import { forgetSubscriptions } from '../write/subscriptions.ts';
import { atRest } from '../write/at-rest.ts';
import { InFlightWriter } from '../write/in-flight.ts';
import { PlainWriter, type Writer } from '../write/writer.ts';
import { allRoutes, SCHEMAS, WEBHOOKS } from './routes.ts';

/** How often the dispatcher looks for deliveries that it was not notified of. */
const DELIVERY_POLL_MS = 1_000;
/** Also between two looks for payment files that another process was asked to fill. */
const EXPORT_POLL_MS = 1_000;
/** How often a closing server looks for connections that have become idle. */
const IDLE_SWEEP_MS = 50;

export interface App {
  readonly server: FastifyInstance;
  /** Sends a command down the write path without HTTP: for the first start and for tests. */
  submit(submission: Submission): Promise<{ status: number; body: string }>;
  /** Refuses new writes, answers requests under way, closes everything. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  /** Address of a prepared database (`operator/database.ts`), as the server's login. */
  readonly databaseUrl: string;
  /** The same as the owner of the tables. */
  readonly ownerUrl: string;
  readonly serverSecret: string;
  /** Those it had before, accepted for reading. */
  readonly previousSecrets?: readonly string[];
  /** Of the API; left out: those there are. */
  readonly versions?: Versions;
  readonly log: Logger;
  /** How far the builds beside this service are. */
  readonly buildState?: (name: BuildName) => BuildState;
  /** Where the built dashboard is, or will be; left out: of this installation. */
  readonly dashboardFolder?: string;
  /** How the way into the dashboard is put together; left out: as `dashboard/door.ts` does it. */
  readonly doorOf?: typeof dashboardDoor;
}

export async function startApp(options: AppOptions): Promise<App> {
  const { config, databaseUrl, ownerUrl, log, versions = new Versions(), buildState = () => 'none' } = options;
  const { dashboardFolder: folder = installed('dashboard/dist') } = options;
  const secrets: ServerSecrets = { current: options.serverSecret, previous: options.previousSecrets ?? [] };
  const onFault = (message: string, error: unknown) => log.error({ err: loggable(error) }, message);
  const pools = await openPools({
    ...config,
    url: databaseUrl,
    log,
    secretIds: [secrets.current, ...secrets.previous].map(secretIdOf),
    onWriterLost() {
      // The next connection may lead to a standby that lagged, or to a backup: cached rows may never have been there.
      forgetSubscriptions();
      dispatcher.forgetTargets();
    },
  });
  const rows = (statement: Statement): Promise<readonly Row[]> => pools.readers.query(statement).catch(unavailable);

  const targets = targetPolicy({ config, rows });
  await targets.latest(); // before the first delivery asks
  const box = secretBox(secrets);
  const headers = headerBox(secrets);
  const print = fingerprinter(secrets);
  const sealing = atRest(secrets);
  const renderEvent = eventRenderer(sealing.payments.json);
  const keep = pools.openBookkeeping();
  const dispatcher = new Dispatcher({
    run: refreshingPlans(async (statement) => (await keep(statement)).rows),
    rows,
    send: (environmentId, notice) => send(environmentId, notice),
    open: box.open,
    openHeader: headers.open,
    versions,
    renderEvent,
    sender: createSender({ privateTargets: targets.now, keepsPrivateAnswers: targets.showsAnswers }),
    concurrency: config.webhookConcurrency,
    pollMs: DELIVERY_POLL_MS,
    onFault,
  });
  const processId = randomUUID();
  const signal = new CommitSignal();
  const outbox = new CommitFanout(dispatcher, signal, processId);
  outbox.connect(pools.openNotifications((text) => outbox.handle(text)));

  const WriterOfChoice = config.writer === 'plain' ? PlainWriter : InFlightWriter;
  // One is enough: several were no better unless a flush takes over 2 ms (docs/decisions/0001).
  const writer: Writer = new WriterOfChoice({
    limits: {
      batchCommands: config.batchCommandLimit,
      batchChanges: config.batchChangeLimit,
      queueCommands: config.queueLimit,
    },
    connect: connector(pools.openWriter()),
    patienceMs: config.databasePatienceMs,
    sealing,
    outbox,
    onBatch: (commands, elapsedMs) => {
      batchCommands.observe(commands);
      batchSeconds.observe(elapsedMs / 1000);
    },
    onCommitted: countPayouts,
    onFault,
  });
  const submit = (submission: Submission) => writer.write(submission);
  const send = (environmentId: string, command: Command, actor: Actor = 'worker', lineage: readonly string[] = []) => {
    const { origin, ...rest } = internal(actor, environmentId, command);
    return submit({ ...rest, origin: { ...origin, lineage } });
  };

  const noteRefused: Parameters<typeof refusedKeys>[0] = ({ environmentId, keyId }, command, from) =>
    submit({
      ...internal('worker', environmentId, command),
      origin: { actor: keyId as Actor, idempotencyKey: null, ...from },
    });

  const service: Service = {
    rows,
    expansions: expansionsOf(rows, sealing),
    write: (call, command, options) => write(submit, print, call, command, options?.dryRun),
  };
  const settlementDelayMs = config.sandboxStepSeconds === 0 ? null : config.sandboxStepSeconds * 1000;
  // A live payout may leave at once, with the next file for the bank; so may one of a sandbox that is stepped by hand.
  const settlementDelay: SettlementDelay = (livemode) => (livemode ? 0 : (settlementDelayMs ?? 0));
  const rates = await startRates({ settings: config, rows, ownerUrl, log });
  watchRates(config.ratesFile === null && config.ratesUrl === null ? null : rates);
  watchDisk(config.dataDir);
  const figures = startFigures({ rows, onFault });
  const streams = new EventStreams({ rows, signal, renderEvent, config, onFault });
  const webhooks: WebhookParts = {
    versions,
    box,
    headerBox: headers,
    checkTarget: async (url, livemode) => checkTarget(url, { livemode, privateTargets: await targets.latest() }),
    sequencesBetween: (environmentId, range) => sequencesBetween(service, environmentId, range),
  };
  const sandbox = sandboxReset({
    ownerUrl,
    print,
    log,
    onReset: (environmentId) => signal.announce(environmentId),
    fill: (environmentId, origin) => fillSandbox({ submit }, environmentId, origin),
  });
  const owner = { ...config, url: ownerUrl, log, asOwner: true };
  const redact: RecipientParts['redact'] = async (call, command) => {
    const answer = await withWriter(owner, sealing, (submit) => write(submit, print, call, command));
    signal.announce(call.caller.environmentId);
    return answer;
  };
  const maker = keyMaker(secrets);
  const keys: KeyParts = {
    versions,
    make: maker.make,
    opened: (answer) => ({ ...answer, body: maker.open(answer.body) }),
  };
  const links = linkMaker(secrets);
  const { doorOf = dashboardDoor } = options;
  const { door, endSessions, proofOf } = doorOf({
    config,
    secrets,
    versions,
    maker: links,
    rows,
    write: pools.openDurable(),
    submit,
    onFault,
  });

  const { requestLogDays } = config;
  const requestLog = requestLogDays === 0 ? null : startRequestLog({ run: keep, onFault });

  const leaseOf = (worker: string) => {
    const onHeld = (held: boolean) => workerLeases.set({ worker }, held ? 1 : 0);
    onHeld(false);
    return new Lease({ worker, owner: processId, run: keep, onHeld });
  };
  const { rehasher, workers: housekeepers } = startHousekeeping({ config, ownerUrl, log, rows, onFault, leaseOf });
  const exports = paymentFiles({
    rows,
    write: send,
    secrets,
    detailsOf: sealing.recipients.detailsOf,
    withinMs: settlementDelayMs ?? 0,
    pollMs: EXPORT_POLL_MS,
    schedulePollMs: config.exportSchedulePollMs,
    onFault,
    lease: leaseOf('payment_files'),
    scheduleLease: leaseOf('bank_exports'),
  });
  const imports = bankImports({ rows, submit, secrets, settlementDelay, onFault });

  let listensAt = localAddress(config.host, config.port);
  const baseUrl = () => config.publicUrl || listensAt;
  const versionOf = environmentVersions(rows);
  const ours = { config, secrets, rows, submit, onFault };
  const hosted = composePaymentPages({ ...ours, seals: sealing.payments, signal, versionOf, baseUrl });
  const server: FastifyInstance = buildServer({
    config: { ...config, version: VERSION },
    routes: allRoutes({
      service,
      settlementDelay,
      proofOf,
      sandbox,
      rates,
      streams,
      links: hosted.links,
      webhooks,
      keys,
      users: userParts({ maker: links, rows, baseUrl: () => linksLeadTo(config, baseUrl()), endSessions }),
      renderEvent,
      actorNames: actorNames(rows),
      search: { sequencesBetween: webhooks.sequencesBetween, ownRecordKey },
      paymentFiles: exports.parts,
      bankStatements: imports.parts,
      recipients: { seals: sealing.recipients, retentionYears: config.recordsRetentionYears, redact },
      requestLog,
    }),
    pages: hosted.pages,
    onFault: faultPage,
    schemas: SCHEMAS,
    webhooks: WEBHOOKS,
    responseCache: responseCache(versionOf),
    versions,
    baseUrl,
    authenticate: authenticator({ secrets, rows, versions, onOldHash: (change) => rehasher.add(change), onFault }),
    onRefusedKey: refusedKeys(noteRefused, onFault),
    onAnswered: requestLog?.listener,
    log,
    metrics: registry,
    readiness: () => pools.unready(),
    docsBuild: () => buildState('docs'),
    ...(config.dashboard && {
      door,
      dashboard: dashboardSite({ ...config, folder, build: () => buildState('dashboard') }),
    }),
    home: homeOf(config, baseUrl),
  });
  server.addHook('onListen', (done) => {
    // Without a public address: right on this machine, which is all a first try needs.
    listensAt = localAddress(config.host, (server.server.address() as AddressInfo).port);
    done();
  });
  const dueWorks: readonly DueWork<Command>[] = [
    ...(settlementDelayMs === null ? [] : [settlementWork(settlementDelayMs, sealing.recipients.detailsOf, onFault)]),
    fundingWork(settlementDelay),
    EXPIRY,
    standingOrderWork(settlementDelay),
    STATEMENT_ISSUING,
  ];
  const dueWorkers = dueWorks.map((work) => startDueWorker(work, { rows, write: send, onFault }, leaseOf(work.name)));

  const onLag = (seconds: number) => summaryLag.set(seconds);
  const rollUp = startRollUp({ rows, keep, onLag, onFault }, leaseOf('daily_sums'));
  const openFile = paymentFileVault(secrets).open;
  const verification = startVerification({ config, url: databaseUrl, openFile, rows, keep, log, onFault, leaseOf });
  const workers = [imports, exports, ...dueWorkers, verification, hosted, dispatcher];

  return {
    server,
    submit,
    async stop() {
      // A connection that was busy when closing began is idle later; Node would keep it for keepAliveTimeout (72 s).
      const sweep = setInterval(() => server.server.closeIdleConnections(), IDLE_SWEEP_MS);
      await server.close().finally(() => clearInterval(sweep));
      for (const worker of [...workers, figures, rates, ...housekeepers, rollUp]) await worker.stop();
      await requestLog?.stop();
      await writer.stop();
      outbox.stop();
      await pools.close();
    },
  };
}

function unavailable(error: unknown): never {
  if (isConnectionLost(error))
    throw new RequestError('database_unavailable', 'The database cannot be reached. Send the same request again.');
  throw error;
}

/** A request's command on its way down the path: the body, not its form, makes the fingerprint. */
async function write(
  submit: (submission: Submission) => Promise<{ status: number; body: string; replayed: boolean }>,
  print: Fingerprinter,
  call: Call<unknown, unknown>,
  command: Command,
  dryRun = false,
): Promise<Answer> {
  const { requestId, idempotencyKey, trace, caller } = call;
  const { status, body, replayed } = await submit({
    environmentId: caller.environmentId,
    command,
    origin: originOf(caller, {
      requestId,
      idempotencyKey,
      trace,
      address: isAudited(command) ? call.address() : null,
    }),
    accounts: caller.accounts,
    scopes: caller.scopes,
    recordKey: idempotencyKey ?? ownRecordKey(requestId),
    ...print(call.method, call.path, (call.body ?? {}) as Readonly<Record<string, unknown>>),
    baseUrl: call.baseUrl(),
    dryRun,
  });
  return replayed ? { status, body, headers: { 'Idempotent-Replayed': 'true' } } : { status, body };
}
