/**
 * Reconciles a month: what your own books say was paid out, a CSV file, against the statements of all accounts. Checks that each statement
 * adds up, and names every payout that is missing here, missing there, of another amount, or has come back. Sums are whole minor units,
 * never floats. Start: BURSAR_URL=… BURSAR_KEY=… node reconcile.mjs 2026-11 books.csv   Ends with 3 when something does not agree.
 */
import { readFileSync } from 'node:fs';
import { createClient } from '@bursar/client';

const { BURSAR_URL, BURSAR_KEY } = process.env;
const bursar = createClient({ url: BURSAR_URL, apiKey: BURSAR_KEY });
const [month, file] = process.argv.slice(2);
const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();

/** Lines of `external_id,amount_minor,currency`. */
function readBooks() {
  const lines = readFileSync(file, 'utf8').trim().split(/\r?\n/).slice(1);
  return new Map(lines.map((line) => line.split(',')).map(([id, amount, currency]) => [id, `${amount} ${currency}`]));
}

const faults = [];
/** Payout → what it took from its account in the month, in minor units; zero where it came back. */
const taken = new Map();
for await (const { id, currency } of bursar.accounts.list()) {
  const period = { from: `${month}-01`, to: `${month}-${lastDay}` };
  const { opening_balance, closing_balance, lines } = await bursar.accounts.retrieveStatement(id, period);
  const sum = lines.reduce((total, { amount_minor }) => total + BigInt(amount_minor), BigInt(opening_balance));
  if (sum !== BigInt(closing_balance))
    faults.push(`${id}: the lines make ${sum}, and the statement ends with ${closing_balance}`);
  for (const { cause, cause_id, amount_minor } of lines) {
    if (cause !== 'payout' && cause !== 'payout_reversal') continue;
    taken.set(cause_id, (taken.get(cause_id) ?? 0n) - BigInt(amount_minor));
  }
  console.log(`${id}: ${lines.length} lines, ${opening_balance} → ${closing_balance} ${currency} (minor units)`);
}

const books = readBooks();
const seen = new Set();
for (const [id, amount] of taken) {
  const { external_id, currency, status } = await bursar.payouts.retrieve(id);
  const name = external_id ?? id;
  const booked = books.get(name);
  seen.add(name);
  if (amount === 0n) {
    if (booked !== undefined) faults.push(`${name}: booked as paid, and it came back (${status})`);
  } else if (booked === undefined) {
    faults.push(`${name}: ${amount} ${currency} left, and the books do not have it`);
  } else if (booked !== `${amount} ${currency}`) {
    faults.push(`${name}: ${amount} ${currency} left, and the books say ${booked}`);
  }
}
for (const [name, booked] of books)
  if (!seen.has(name)) faults.push(`${name}: the books say ${booked}, and nothing left`);

for (const fault of faults) console.log(`! ${fault}`);
console.log(faults.length === 0 ? `${month} agrees: ${seen.size} payouts.` : `${faults.length} do not agree.`);
process.exitCode = faults.length === 0 ? 0 : 3;
