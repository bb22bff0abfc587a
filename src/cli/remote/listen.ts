/**
 * `bursar listen --forward-to URL`: events of the stream go to an address of yours, in order, signed like deliveries; `bursar events tail`
 * prints them. The place in the stream is on disk from the start and after every answer, so a later run goes on there. Must never skip
 * an event. The stream itself: `client/src/stream.ts`; the receiver: `receiver.ts`.
 */
import { Command } from 'commander';
import { type Message, messagesOf } from '../../../client/src/stream.ts';
import { typesMatching } from '../../core/event-types.ts';
import { Exit, UsageError } from '../../operator/exit.ts';
import { asking, connect, type Connection, configFolder, pathWith, remote, type RemoteOptions } from './connection.ts';
import { described, endSignal, type Json, printRows } from './output.ts';
import { print, printJsonText, say } from './terminal.ts';
import { replacePrivate } from './private-file.ts';
import { type Answer, deliver, forwardTarget, type Receiver } from './receiver.ts';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bursar, BursarError, type WebhookReplay } from '../../../client/src/bursar.ts';

export interface ListenOptions extends RemoteOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly since?: string;
}

export function listenCommand(): Command {
  const command = described(
    new Command('listen'),
    'forward events to an address of your own, signed like deliveries',
    'listen --forward-to http://127.0.0.1:3000/webhooks --events "payout.*,payment.*"',
    'Without --since it goes on where it was stopped, or begins now.',
  );
  return following(command)
    .requiredOption('--forward-to <url>', 'where they go: http://127.0.0.1:3000/webhooks')
    .action((options: ListenOptions) => listen(options, endSignal()));
}

export function tailCommand(): Command {
  const example = 'events tail --events payout.* --since 0 --json';
  return following(described(new Command('tail'), 'print events as they happen', example)).action(tail);
}

const following = (command: Command): Command =>
  remote(command)
    .option('--events <types>', 'only these, with commas: payout.*,payment.succeeded')
    .option('--since <sequence>', 'begin after this sequence; 0: with the oldest event, now: with the next one');

const patternsIn = (events = ''): readonly string[] => events.split(',').filter((each) => each !== '');

function beginning(since: string | undefined): string | undefined {
  if (since === undefined || since === 'now') return undefined;
  if (!/^\d{1,16}$/.test(since)) throw new UsageError(`--since takes a sequence or now, got ${since}`);
  return since;
}

function messages(connection: Connection, options: ListenOptions, from: string | undefined, signal: AbortSignal) {
  const onReconnect = (reason: unknown) => say(`connecting again: ${(reason as Error).message}`);
  const types = patternsIn(options.events).map((type) => `types[]=${type}`);
  const { url, key: apiKey, fetch } = connection;
  return messagesOf({ url, apiKey, fetch }, pathWith('/v1/events/stream', types), {
    lastEventId: from,
    signal,
    onReconnect,
  });
}

async function tail(options: ListenOptions): Promise<void> {
  const connection = await connect(options);
  const from = beginning(options.since);
  await asking(async () => {
    for await (const { data } of messages(connection, options, from, endSignal())) {
      const event = JSON.parse(data) as Json;
      if (options.json === true) printJsonText(data);
      else if (process.stdout.isTTY) print(lineOf(event));
      else await printRows([], [[event['sequence'], event['id'], event['type'], objectOf(event)]]);
    }
  });
}

const objectOf = (event: Json): unknown => ((event['data'] as Json)['object'] as Json)['id'];
const lineOf = (event: Json): string =>
  `${new Date(Number(event['created']) * 1_000).toISOString().slice(11, 19)}  ${String(event['sequence']).padStart(6)}  ${String(event['type']).padEnd(24)}  ${String(objectOf(event))}`;

/** Until the signal comes, or it cannot go on. */
export async function listen(options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { events = '', since, forwardTo = '' } = options;
  const { url, authorization } = forwardTarget(forwardTo);
  const connection = await connect(options);
  const cursor = cursorOf(connection.url, connection.key, url, events);
  const secret = await listenSecret(connection.profile);
  const named = beginning(since) ?? (since === 'now' ? undefined : ((await cursor.load()) ?? undefined));
  const from = named ?? (await asking(() => newestOf(connection)));
  // Killed before its first event, a later run goes on there too.
  if (from !== undefined) await cursor.save(Number(from));
  say(`Events ${named === undefined ? 'from now on' : `behind ${named}`} go to ${url}. Stop with Ctrl-C.`);
  say(`They are signed with ${secret}`);
  const place: Place = {
    cursor,
    receiver: { url, authorization, secret },
    last: from === undefined ? undefined : Number(from),
    isDoubted: false,
  };
  const over = new AbortController();
  signal.addEventListener('abort', () => over.abort());
  const resending = forwardResends(connection, options, place, over.signal);
  try {
    await asking(() => forward(connection, options, place, signal));
  } finally {
    over.abort();
    await resending;
  }
}

/** The `sequence` of the newest event that is kept. */
async function newestOf({ bursar }: Connection): Promise<string | undefined> {
  const { data } = await bursar.events.list({ limit: 1 }).page();
  return data[0] && String(data[0].sequence);
}

interface Place {
  readonly cursor: Cursor;
  readonly receiver: Receiver;
  /** The `sequence` of the last event that was answered. */
  last: number | undefined;
  /** Whether a person was told that the receiver may know another secret. */
  isDoubted: boolean;
}

async function forward(connection: Connection, options: ListenOptions, place: Place, signal: AbortSignal) {
  const from = place.last === undefined ? undefined : String(place.last);
  const isWhole = options.events === undefined && !connection.key.startsWith('rk_'); // a restricted key may not see all
  for await (const message of messages(connection, options, from, signal)) {
    const { sequence } = JSON.parse(message.data) as { readonly sequence: number };
    if (place.last !== undefined && sequence <= place.last) continue; // received already
    if (place.last !== undefined && isWhole && sequence !== place.last + 1)
      throw new Exit(
        'failed',
        `After event ${place.last} came ${sequence}: the ones between are no longer kept. Begin with --since now.`,
      );
    const answer = await deliver(place.receiver, message, signal);
    if (answer === null) return;
    await place.cursor.save(sequence);
    place.last = sequence;
    tell(message, answer, options, place, '→');
  }
}

/** An event that the stream has yet to bring is left to it, so that the first time is in order. */
async function forwardResends(
  { bursar }: Connection,
  options: ListenOptions,
  place: Place,
  signal: AbortSignal,
): Promise<void> {
  const patterns = patternsIn(options.events);
  const types = new Set<string>(patterns.flatMap((pattern) => typesMatching(pattern)));
  for await (const sequence of resentSequences(bursar, signal)) {
    if (place.last !== undefined && sequence > place.last) continue;
    const message = await eventAt(bursar, sequence, signal).catch(() => null);
    if (message === null) continue;
    const { type } = JSON.parse(message.data) as { readonly type: string };
    if (patterns.length > 0 && !types.has(type)) continue;
    const answer = await deliver(place.receiver, message, signal);
    if (answer !== null) tell(message, answer, options, place, 'again →');
  }
}

/** A receiver that knows another secret, such as that of an endpoint, mostly answers one of these. */
const DOUBTS: ReadonlySet<number | null> = new Set([400, 401, 403]);

function tell({ data }: Message, answer: Answer, { json }: ListenOptions, place: Place, arrow: string): void {
  const event = JSON.parse(data) as Json;
  const { sequence, id, type } = event;
  const { status, ms, body } = answer;
  if (json !== true) print(`${lineOf(event)}  ${arrow} ${status} in ${ms} ms${body === '' ? '' : `  ${body}`}`);
  else print(JSON.stringify({ sequence, id, type, ...answer, ...(arrow !== '→' && { resent: true }) }));
  if (place.isDoubted || !DOUBTS.has(status)) return;
  place.isDoubted = true;
  say(`It answered ${status}. If it verifies signatures, it needs this secret: ${place.receiver.secret}`);
}

// In the user's config folder: the last event of each forwarding, and the secret of each profile.
const saveFile = (name: string, text: string) => replacePrivate(join(configFolder(), name), text);
const readSaved = (name: string) => readFile(join(configFolder(), name), 'utf8').catch(() => null);

interface Cursor {
  /** The `sequence` of the last event that was answered, or behind which a first run began; `null` before. */
  load(): Promise<string | null>;
  save(sequence: number): Promise<void>;
}

/** Of one server, key, receiver and choice of events. The name of the file is their hash. */
function cursorOf(...about: readonly string[]): Cursor {
  const name = `listen-${createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 24)}`;
  return {
    load: async () => {
      const text = (await readSaved(name))?.trim() ?? '';
      return /^\d+$/.test(text) ? text : null;
    },
    save: (sequence) => saveFile(name, `${sequence}\n`),
  };
}

/** The same one for a profile, for good: receivers are set up once. */
async function listenSecret(profile: string): Promise<string> {
  const name = `secret-${profile.replaceAll(/[^\w-]/g, '_')}`;
  const known = (await readSaved(name))?.trim();
  if (known?.startsWith('whsec_') === true) return known;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await saveFile(name, `${secret}\n`);
  return secret;
}

/** Between two looks at the replays of all endpoints. */
const LOOK_MS = 2_000;

/**
 * The sequences of events that are sent again from now on, by `resend` or by a `replay` of one event. Each makes a
 * replay of its endpoint, so all replays are looked through (docs/decisions/0068). A key that may not see endpoints
 * ends it, with a message.
 */
async function* resentSequences(bursar: Bursar, signal: AbortSignal): AsyncGenerator<number> {
  /** Endpoint → its newest replay that is known; '' before the first. */
  let known: ReadonlyMap<string, string> | null = null;
  while (!signal.aborted) {
    try {
      const { replays, newest } = await lookThrough(bursar, known ?? new Map(), signal);
      if (known === null) say('Events that are sent again from now on are forwarded too.');
      else yield* sequencesIn(replays);
      known = newest;
    } catch (error) {
      if (BursarError.is(error, 'scope_missing'))
        return say(`Events that are sent again will not be forwarded: ${error.message}`);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** One request makes a replay for each endpoint that asks for the type: they are one sending. */
function sequencesIn(replays: readonly WebhookReplay[]): readonly number[] {
  const named = replays.filter(({ only }) => only === 'named');
  const requests = new Map(named.map((each) => [`${each.created} ${each.until_sequence}`, each.until_sequence]));
  return [...requests.values()];
}

interface Seen {
  /** New ones, oldest first. */
  readonly replays: readonly WebhookReplay[];
  readonly newest: ReadonlyMap<string, string>;
}

async function lookThrough(bursar: Bursar, known: ReadonlyMap<string, string>, signal: AbortSignal): Promise<Seen> {
  const replays: WebhookReplay[] = [];
  const newest = new Map<string, string>();
  for await (const { id } of bursar.webhookEndpoints.list({}, { signal, maxRetries: 0 })) {
    const last = known.get(id);
    const filter = { limit: 100, ...(last !== undefined && last !== '' && { ending_before: last }) };
    const { data } = await bursar.webhookReplays
      .list({ ...filter, webhook_endpoint: id }, { signal, maxRetries: 0 })
      .page();
    replays.push(...data.toReversed());
    newest.set(id, data[0]?.id ?? last ?? '');
  }
  return { replays, newest };
}

/** The event with this sequence as it was delivered; `null` where it is no longer kept. */
async function eventAt(bursar: Bursar, sequence: number, signal: AbortSignal): Promise<Message | null> {
  const path = `/v1/events?after_sequence=${sequence - 1}&order=asc&limit=1`;
  const text = await (await bursar.request('GET', path, { signal })).text();
  const [event] = (JSON.parse(text) as { readonly data: readonly { readonly id: string; readonly sequence: number }[] })
    .data;
  if (event?.sequence !== sequence) return null;
  return { id: event.id, data: await (await bursar.request('GET', `/v1/events/${event.id}`, { signal })).text() };
}
