/**
 * What a stranger with Node alone waits for: `npx` of the packed file in an empty folder, with an empty npm cache, until a payout is paid and its webhook
 * has come. Prints each step with its time. Plain JavaScript without dependencies. Run, after `npm pack`: node scripts/stranger.mjs bursar-0.1.0.tgz [--warm]
 * With --warm npm uses its own cache. Figures: docs/releasing.md.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 120_000;
const [tarball, option] = process.argv.slice(2);
if (tarball === undefined) {
  console.error('Which package? node scripts/stranger.mjs bursar-0.1.0.tgz [--warm]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'bursar-stranger-'));
const startedMs = performance.now();
const step = (what) => console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)} s  ${what}`);

/** Resolves with what `look` gives once it is something. */
async function until(look, what) {
  for (
    const endMs = performance.now() + PATIENCE_MS;
    performance.now() < endMs && child.exitCode === null;
    await sleep(50)
  ) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`${child.exitCode === null ? 'Too late' : 'It ended'}: ${what}\n${output}`);
}

/** Types of the events that came. */
const received = [];
const receiver = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    received.push(JSON.parse(text).type);
    response.end();
  });
});
await new Promise((listening) => receiver.listen(0, '127.0.0.1', listening));
const port = await new Promise((found) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address();
    probe.close(() => found(free));
  });
});

const cache = option === '--warm' ? {} : { npm_config_cache: join(folder, 'npm-cache') };
const env = { ...process.env, ...cache, PORT: String(port), npm_config_update_notifier: 'false' };
const child = spawn('npx', ['--yes', '--package', resolve(tarball), 'bursar'], {
  cwd: folder,
  env,
  stdio: ['ignore', 'ignore', 'pipe'],
  detached: true,
});
let output = '';
child.stderr.on('data', (chunk) => (output += chunk));
try {
  const key = await until(() => /Sandbox key: +(\S+)/.exec(output)?.[1], 'the key');
  const recipient = await until(() => /RECIPIENT=(\S+)/.exec(output)?.[1], 'a recipient');
  step('npx has printed a key');
  const post = async (path, fields = {}) => {
    const headers = { Authorization: `Bearer ${key}` };
    const body = new URLSearchParams(fields);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const url = `http://127.0.0.1:${receiver.address().port}/webhooks`;
  await post('/v1/webhook_endpoints', { url, 'enabled_events[]': 'payout.*' });
  const { id } = await post('/v1/payouts', { amount: '250.00', currency: 'EUR', recipient });
  const { status } = await post(`/v1/test_helpers/payouts/${id}/pay`);
  if (status !== 'paid') throw new Error(`the payout is ${status}`);
  step('a payout is paid');
  await until(() => received.includes('payout.paid'), 'the webhook');
  step('its webhook has come');
} finally {
  if (child.exitCode === null) {
    process.kill(-Number(child.pid), 'SIGTERM'); // npx, its shell, and what it runs
    await new Promise((ended) => child.once('close', ended));
  }
  receiver.close();
  receiver.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
