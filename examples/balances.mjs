/**
 * Keeps the balances of all accounts in a table of its own, in SQLite, exactly as Bursar has them. A webhook is only the bell: it may come
 * twice, late, or not at all. What counts is `sequence`, which has no gaps: everything behind the last one that was stored is read, in order, and
 * the balances are stored in the same transaction as the new number. So a crash between any two lines loses nothing and counts nothing twice.
 * SQLite is node-sqlite3-wasm here, because Node 20 has none of its own. Start: BURSAR_URL=… BURSAR_KEY=… WEBHOOK_SECRET=whsec_… node balances.mjs
 */
import { createServer } from 'node:http';
import { createClient, webhooks } from '@bursar/client';
import sqlite from 'node-sqlite3-wasm';

const { BURSAR_URL, BURSAR_KEY, WEBHOOK_SECRET, DATABASE = 'balances.db', PORT = '3000' } = process.env;
const bursar = createClient({ url: BURSAR_URL, apiKey: BURSAR_KEY });
const db = new sqlite.Database(DATABASE);
db.exec(`CREATE TABLE IF NOT EXISTS balances (account TEXT PRIMARY KEY, currency TEXT NOT NULL, balance INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS progress (id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL);
  INSERT OR IGNORE INTO progress VALUES (1, 0);`);

const STORE = `INSERT INTO balances VALUES (?, ?, ?) ON CONFLICT (account) DO UPDATE SET balance = excluded.balance`;

/** A page of events, all of them or none. Throws when one is missing, which would be a fault of Bursar. */
function store(events) {
  db.exec('BEGIN IMMEDIATE');
  try {
    let { sequence } = db.get('SELECT sequence FROM progress');
    for (const event of events) {
      if (event.sequence !== sequence + 1) throw new Error(`Event ${sequence + 1} is missing: ${event.sequence} came.`);
      sequence = event.sequence;
      const { id, object, currency, balance } = event.data.object;
      if (object === 'account') db.run(STORE, [id, currency, balance]);
    }
    db.run('UPDATE progress SET sequence = ?', [sequence]);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

async function catchUp() {
  for (;;) {
    const { sequence } = db.get('SELECT sequence FROM progress');
    const { data } = await bursar.events.list({ after_sequence: sequence, order: 'asc', limit: 100 }).page();
    if (data.length === 0) return;
    store(data);
    console.log(`stored up to ${data.at(-1).sequence}`);
  }
}

/** One at a time; whoever rings meanwhile is served by one more round. */
let running = null;
let ringing = false;
function ring() {
  ringing = true;
  running ??= (async () => {
    while (ringing) {
      ringing = false;
      await catchUp().catch((error) => console.error(error.message)); // the next ring, or the minute, tries again
    }
    running = null;
  })();
}

createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(db.all('SELECT account, currency, balance FROM balances ORDER BY account')));
    return;
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    await webhooks.verify(Buffer.concat(chunks), request.headers, WEBHOOK_SECRET); // without this, anybody could ring
    ring();
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(Number(PORT), '127.0.0.1', ring);
setInterval(ring, 60_000);
