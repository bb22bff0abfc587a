/**
 * `bursar secret status|rotate`. A secret itself is never shown; its id is. What a rotation consists of: docs/guides/operating/secrets.md.
 */
import { join } from 'node:path';
import { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { programName } from '../operator/program-name.ts';
import type { RunOne } from '../operator/reseal.ts';
import { noteRotation, type RotationState, rotationState, serversBehind, takeTurn } from '../operator/rotation.ts';
import { sealStored } from '../operator/seal-stored.ts';
import { isOwnSecret, PREVIOUS_FILE, replaceOwnSecret, serverSecrets } from '../operator/server-secret.ts';
import { secretIdOf } from '../platform/vault/vault.ts';
import { LOG, withOwner } from './database.ts';
import { printJson, printText, say } from './remote/terminal.ts';
import { Exit } from '../operator/exit.ts';
import { described, withJson } from './remote/output.ts';
import { guide } from '../operator/guide.ts';

const PROGRESS_MS = 1_000;
const LOCK_TIMEOUT = "SET TimeZone = 'UTC'; SET lock_timeout = '5s'";

export function secretCommand(): Command {
  const secret = described(new Command('secret'), 'replace the server secret by a new one', 'secret status');
  const about = 'list keys and texts that still need a previous secret; changes nothing';
  withJson(described(secret.command('status'), about, 'secret status --json')).action(status);
  described(
    secret.command('rotate'),
    'make a new secret (embedded database), or take the one in BURSAR_SECRET, and reseal everything under it',
    'secret rotate',
    `May be interrupted and repeated. Step by step: ${guide('operating/secrets.md')}.`,
  ).action(rotate);
  return secret;
}

async function status({ json }: { readonly json?: boolean }): Promise<void> {
  const config = loadConfig();
  await onDatabase(config, async (run) => {
    const state = await rotationState({ run, secrets: await serverSecrets(config), reseals: false });
    if (json) printJson(state);
    else printText(summary(state, config));
  });
}

async function rotate(): Promise<void> {
  const config = loadConfig();
  await onDatabase(config, async (run, url) => {
    if (!(await takeTurn(run))) throw new Exit('failed', 'Another rotation is under way on this database.');
    const secrets = await prepared(config);
    const behind = await serversBehind(run, secrets);
    if (behind > 0) {
      throw new Exit(
        'failed',
        `${servers(behind)} on this database and ${behind === 1 ? 'does' : 'do'} not use the secret ${secretIdOf(secrets.current)} yet. Restart (with the new settings, where the secret is yours), then run this once more: bursar secret rotate`,
      );
    }
    await sealStored(url, LOG, secrets);
    const state = await rotationState({ run, secrets, reseals: true, onProgress: progress() });
    await noteRotation({ ...config, url, log: LOG }, secrets);
    printText(summary(state, config));
  });
}

/** The secrets to rotate with. Makes a new one where that is ours to do and no rotation is unfinished. */
async function prepared(config: Config) {
  const secrets = await serverSecrets(config);
  if (!isOwnSecret(config)) {
    if (secrets.previous.length > 0) return secrets;
    throw new Exit(
      'failed',
      'There is no previous secret to rotate from. Set BURSAR_SECRET to the new one and BURSAR_SECRET_PREVIOUS to the one until now, here and for every server.',
    );
  }
  const before = join(config.dataDir, PREVIOUS_FILE);
  if (secrets.previous.length > 0) {
    const unfinished = `No new secret was made: there is one from before in use (${before}, or BURSAR_SECRET_PREVIOUS).`;
    say(`${unfinished} Going on with that rotation.`);
    return secrets;
  }
  const made = await replaceOwnSecret(config.dataDir);
  say(`Made a new server secret, ${secretIdOf(made.current)}. The one before is in ${before}.`);
  return made;
}

async function onDatabase(config: Config, work: (run: RunOne, url: string) => Promise<void>): Promise<void> {
  await withOwner(config, async (client, url) => {
    await client.query(LOCK_TIMEOUT);
    await work((statement) => client.query(statement), url);
  });
}

/** A line a second, on standard error. */
function progress(): (place: string, rows: number, resealed: number) => void {
  let shownAtMs = Date.now();
  return (place, rows, resealed) => {
    if (Date.now() - shownAtMs < PROGRESS_MS) return;
    shownAtMs = Date.now();
    say(`${place}: ${rows} rows looked at, ${resealed} sealed texts done …`);
  };
}

type OwnSettings = Pick<Config, 'dataDir' | 'secret' | 'secretFile'>;

/** For people. Ends with what to do next. */
export function summary(state: RotationState, config: OwnSettings): string {
  const { current, previous, places, tables, keys, oldKeys, oldKeysShown } = state;
  const lines = [`Server secret ${current}; previous: ${previous.join(', ') || 'none'}.`];
  for (const { place, current: done, previous: left, resealed, unreadable, reasons } of places) {
    const anew = resealed > 0 ? ` (${resealed} now)` : '';
    const lost = unreadable > 0 ? `, ${unreadable} that no secret opens` : '';
    lines.push(`Sealed in ${place}: ${done} under it${anew}, ${left} under a previous one${lost}.`);
    for (const reason of reasons) lines.push(`  ${reason}`);
  }
  const left = tables.length === 0 ? null : `Not all under it yet: ${tables.join(', ')}.`;
  lines.push(left ?? 'Links, payments and bank details: all under it.');
  lines.push(`Keys: ${keys - oldKeys} of ${keys} are hashed under it.`);
  for (const { id, name, merchant, livemode, secretId, lastUsedAt } of oldKeysShown) {
    const used = lastUsedAt === null ? 'never used' : `last used ${new Date(lastUsedAt).toISOString().slice(0, 16)}`;
    const mode = livemode ? 'live' : 'sandbox';
    lines.push(`  ${id}  ${merchant} (${mode})  ${name}  under ${secretId ?? 'an unknown one'}  ${used}`);
  }
  if (oldKeys > oldKeysShown.length) lines.push(`  … and ${oldKeys - oldKeysShown.length} more`);
  return `${[...lines, '', ...nextSteps(state, config)].join('\n')}\n`;
}

function nextSteps(state: RotationState, config: OwnSettings): readonly string[] {
  const { previous, places, tables, oldKeys, serversBehind: behind } = state;
  const left = places.reduce((sum, { previous: count }) => sum + count, 0);
  const lost = places.reduce((sum, { unreadable }) => sum + unreadable, 0);
  const steps: string[] = [];
  if (lost > 0)
    steps.push(
      `${lost} sealed texts open under none of the secrets: add the secret they were made under to the previous ones.`,
    );
  if (behind > 0)
    steps.push(`${servers(behind)} without the secret ${state.current} in use: restart with the new settings.`);
  if (previous.length === 0) return steps.length > 0 ? steps : ['No rotation is under way.'];
  if (left > 0 || tables.length > 0) steps.push(`Run: ${programName()} secret rotate`);
  if (oldKeys > 0)
    steps.push(
      'Keys move to the new secret when they are used. Revoke those that nobody uses, or roll them (bursar keys revoke | roll). Then look again: bursar secret status',
    );
  if (steps.length > 0) return [...steps, 'Keep the previous secret until then.'];
  const file = isOwnSecret(config) ? `delete ${join(config.dataDir, PREVIOUS_FILE)}` : 'remove BURSAR_SECRET_PREVIOUS';
  return [
    `Nothing needs the previous secret any more. A day after the rotation, when open payment pages have ended, ${file} and restart. Keep the secret with the backups from before.`,
  ];
}

const servers = (count: number): string => (count === 1 ? '1 server runs' : `${count} servers run`);
