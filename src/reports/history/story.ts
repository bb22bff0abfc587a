/**
 * The history of a payout in sentences that a person in support can read out: who asked for it, what held it, who let it go, what the
 * bank said, where the money is. Of an account it names the last four characters and no more. Pure. All texts stand here; reasons of banks
 * in `reasons.ts`. Where the facts come from: `sql.ts`.
 */
import { formatMoney } from '../../core/values/money.ts';
import type { Facts, Kind, Line, OfDelivery, OfEntry, PastEvent, ShownPayout } from './fields.ts';
import { reasonInWords } from './reasons.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** `2026-12-24` → `24 Dec 2026`. */
export function dayInWords(day: string): string {
  const [year, month, date] = day.split('-') as [string, string, string];
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`;
}
const dayOf = (seconds: number): string => dayInWords(new Date(seconds * 1000).toISOString().slice(0, 10));

const SERVICE: Readonly<Record<string, string>> = {
  worker: 'the service',
  visitor: 'the payer',
  acquirer: 'the acquirer',
  cli: 'the command line',
  second_person: 'a second person (test helper)',
};

/** Who it was, in words; `null`: it is not known, as on objects of before actors were kept. */
export function actorInWords({ names }: Pick<Facts, 'names'>, actor: string | null): string | null {
  if (actor === null) return null;
  return names.get(actor) ?? SERVICE[actor] ?? (actor.startsWith('usr_') ? 'a person' : 'a key');
}

/** The actors that a history names, each once. */
export const actorsIn = ({ payout, events }: Pick<Facts, 'payout' | 'events'>): readonly string[] => [
  ...new Set(
    [
      payout.created_by,
      ...(payout.release?.approvals ?? []).map(({ actor }) => actor),
      payout.release?.rejection?.actor ?? null,
      ...events.map(({ request }) => request.actor),
    ].filter((actor) => actor !== null),
  ),
];

/** The amounts that its sentences may name, as they stand there. */
export function amountsIn({ payout, events, entries }: Facts): readonly string[] {
  const payouts = [payout, ...events.map(({ data }) => data.object)];
  const amounts = payouts.flatMap((each) => [each.amount_minor, each.amount_returned_minor]).map(BigInt);
  const all = [...amounts, ...entries.map(({ amount }) => amount)].filter((amount) => amount > 0n);
  return [...new Set(all.map((amount) => formatMoney(amount, payout.currency)))];
}

/** In order of time; what is of one second in the order in which it happens. */
export function storyOf(facts: Facts): readonly Line[] {
  const lines = [
    created(facts),
    ...heldLines(facts),
    ...decisions(facts),
    ...facts.events.flatMap((event) => ofEvent(facts, event)),
    ...forgotten(facts),
    ...facts.entries.map((entry) => booked(facts, entry)),
    ...facts.deliveries.map(undelivered),
  ];
  return lines.toSorted((a, b) => a.at - b.at || RANK.indexOf(a.kind) - RANK.indexOf(b.kind));
}

const RANK: readonly Kind[] = [
  'created',
  'held',
  'approved',
  'rejected',
  'funded',
  'changed',
  'sent',
  'bank',
  'paid',
  'failed',
  'canceled',
  'returned',
  'booked',
  'delivery',
];

const line = (
  at: number,
  kind: Kind,
  actor: string | null,
  text: string,
  refs: Record<string, string | null> = {},
): Line => ({
  at,
  kind,
  actor,
  text,
  refs: Object.fromEntries(Object.entries(refs).filter((entry): entry is [string, string] => entry[1] !== null)),
});

const by = (facts: Facts, actor: string | null): string => {
  const who = actorInWords(facts, actor);
  return who === null ? '' : ` by ${who}`;
};
const amountOf = ({ amount_minor: amount, currency }: ShownPayout): string => formatMoney(BigInt(amount), currency);
const account = ({ accountName }: Facts): string => accountName ?? 'the account';
const bank = ({ bankName }: Facts): string => bankName ?? 'the bank';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
const times = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function created(facts: Facts): Line {
  const { payout, batchName } = facts;
  const { destination, batch, standing_order: order, refund_of: refundOf, exchange, created_by: actor } = payout;
  const how =
    order !== null
      ? ' for a standing order'
      : refundOf !== null
        ? ' as the refund of a payment'
        : batch === null
          ? ''
          : batchName === null
            ? ' in a batch'
            : ` in batch ${batchName}`;
  const whom = destination === null ? '' : ` to ${destination.name}, account ending in ${destination.last4}`;
  const text = [
    `Created${by(facts, actor)}${how}: ${amountOf(payout)}${whom}, from ${account(facts)}.`,
    ...(exchange === null ? [] : ['An exchange paid for it.']),
    ...(payout.scheduled_on === null ? [] : [`It is to leave on ${dayInWords(payout.scheduled_on)}.`]),
    ...(payout.wait_until_on === null
      ? []
      : [`The account did not hold enough, so it could wait for money until ${dayInWords(payout.wait_until_on)}.`]),
  ].join(' ');
  const refs = { account: payout.account, batch, standing_order: order, payment: refundOf, exchange };
  return line(payout.created, 'created', actor, text, { ...refs, transfer: payout.transfer });
}

const HOLDS: Readonly<Record<string, string>> = {
  new_recipient: 'the recipient is new',
  changed_recipient: 'name or bank details of the recipient changed lately',
};
const holdsInWords = (reasons: readonly string[]): string =>
  listed(
    reasons
      .map((reason) => HOLDS[reason] ?? 'a limit was exceeded')
      .filter((each, at, all) => all.indexOf(each) === at),
  );

function heldLines(facts: Facts): readonly Line[] {
  const { release } = facts.payout;
  if (release === null) return [];
  const limit = release.reasons.find((reason) => reason.startsWith('lim_')) ?? null;
  const events = facts.events.filter(({ type }) => type === 'payout.held');
  const text = `Held, because ${holdsInWords(release.reasons)}. It needs ${times(release.approvals_required, 'approval')}.`;
  if (events.length === 0) return [line(facts.payout.created, 'held', null, text, { limit })];
  return events.map((event) => line(event.created, 'held', null, text, { limit, event: event.id }));
}

function decisions(facts: Facts): readonly Line[] {
  const { release } = facts.payout;
  if (release === null) return [];
  const approvals = release.approvals.map(({ actor, at, proof }, index) => {
    const which = release.approvals_required === 1 ? '' : ` (${index + 1} of ${release.approvals_required})`;
    const how = proof === undefined ? '' : ', signed by a passkey';
    return line(at, 'approved', actor, `Approved${by(facts, actor)}${which}${how}.`);
  });
  if (release.rejection === null) return approvals;
  const { actor, at } = release.rejection;
  return [...approvals, line(at, 'rejected', actor, rejected(facts), { transfer: facts.payout.reversal })];
}

function rejected(facts: Facts): string {
  const { actor = null, reason = null } = facts.payout.release?.rejection ?? {};
  return `Rejected${by(facts, actor)}${reason === null ? '' : `: “${reason}”`}. ${whereBack(facts)}`;
}

const whereBack = (facts: Facts): string =>
  facts.payout.reversal === null && facts.payout.transfer === null
    ? 'Nothing had been debited.'
    : `The money is back on ${account(facts)}.`;

/** The members whose former values an event about a change has, in words. */
const CHANGES: Readonly<Record<string, string>> = {
  reference: 'reference',
  reference_type: 'reference',
  scheduled_on: 'day',
  category_purpose: 'category',
  purpose: 'purpose',
  bank_account: 'bank account',
  metadata: 'metadata',
};

function ofEvent(facts: Facts, event: PastEvent): readonly Line[] {
  const { type, created: at, id } = event;
  const { actor } = event.request;
  const payout = event.data.object;
  const refs = { event: id, transfer: payout.reversal };
  switch (type) {
    case 'payout.funded':
      return [
        line(at, 'funded', actor, `The money came: ${amountOf(payout)} was debited from ${account(facts)}.`, {
          event: id,
          transfer: payout.transfer,
        }),
      ];
    case 'payout.updated':
      return changesOf(facts, event);
    case 'payout.in_transit':
      return [sent(facts, event)];
    case 'payout.paid':
      return [line(at, 'paid', actor, 'Paid: the bank executed it.', { event: id })];
    case 'payout.failed':
      return [line(at, 'failed', actor, failed(facts, payout), refs)];
    case 'payout.returned':
      return [line(at, 'returned', actor, returned(facts, payout), refs)];
    case 'payout.canceled':
      if (facts.payout.release?.rejection != null) return []; // its rejection says so
      return [line(at, 'canceled', actor, `Canceled${by(facts, actor)}. ${whereBack(facts)}`, refs)];
    default:
      return []; // created, held, approved and rejected are in the payout itself
  }
}

function sent(facts: Facts, event: PastEvent): Line {
  const { file } = facts;
  const { actor } = event.request;
  const previous = event.data.previous_attributes?.['status'];
  if (previous === 'paid') {
    const text = 'The booking that had paid it was voided, so it is on its way again.';
    return line(event.created, 'bank', actor, text, { event: event.id });
  }
  return line(event.created, 'sent', actor, sentText(facts), { payment_file: file?.id ?? null, event: event.id });
}

function sentText(facts: Facts): string {
  const { file } = facts;
  if (file === null) return `Left for ${bank(facts)}.`;
  return `Put into payment file ${file.messageId} for ${bank(facts)}, to be executed on ${dayInWords(file.executionOn)}.`;
}

function changesOf(facts: Facts, event: PastEvent): readonly Line[] {
  const previous = event.data.previous_attributes ?? {};
  const { created: at, id, request } = event;
  const payout = event.data.object;
  const refs = { event: id };
  const lines: Line[] = [];
  const changed = Object.keys(previous).flatMap((member) => CHANGES[member] ?? []);
  if (changed.length > 0) {
    const voided = payout.release === null ? '' : ' Approvals from before do not count any more.';
    const text = `Changed${by(facts, request.actor)}: ${listed([...new Set(changed)])}.${voided}`;
    lines.push(line(at, 'changed', request.actor, text, refs));
  }
  if ('accepted_at' in previous) lines.push(line(at, 'bank', null, `${capital(bank(facts))} accepted it.`, refs));
  if ('payee_check' in previous && payout.payee_check !== null)
    lines.push(line(at, 'bank', null, checkInWords(payout.payee_check), refs));
  const said = 'bank_reason' in previous ? saidBy(facts, payout) : null;
  if (said !== null) lines.push(line(at, 'bank', null, said, refs));
  if ('amount_returned_minor' in previous)
    lines.push(line(at, 'returned', null, returned(facts, payout), { ...refs, transfer: payout.reversal }));
  return lines;
}

const CHECKS: Readonly<Record<string, string>> = {
  match: 'the name is that of the account.',
  close_match: 'the name is nearly that of the account',
  no_match: 'the name is not that of the account.',
  not_possible: 'the bank of the account did not say.',
};
function checkInWords({ result, name }: NonNullable<ShownPayout['payee_check']>): string {
  const known =
    result === 'close_match' ? `${CHECKS['close_match']}${name === null ? '' : `, “${name}”`}.` : CHECKS[result];
  return `Check of the payee’s name: ${known ?? result}`;
}

/** What the bank says why; `null`: nothing. */
function saidBy(facts: Facts, { bank_reason: reason }: ShownPayout): string | null {
  if (reason === null) return null;
  const words = [
    reason.code === null ? null : reasonInWords(reason.code),
    reason.text === null ? null : `“${reason.text}”`,
  ];
  const said = words.filter((each) => each !== null).join('. ');
  return said === '' ? null : `${capital(bank(facts))} says: ${said}.`;
}

function failed(facts: Facts, payout: ShownPayout): string {
  if (payout.transfer === null && payout.wait_until_on !== null)
    return `The money did not come by ${dayInWords(payout.wait_until_on)}, so it failed. Nothing had been debited.`;
  const said = saidBy(facts, payout);
  return ['Failed.', payout.failure_message, said, `The money is back on ${account(facts)}.`]
    .filter((each) => each !== null)
    .join(' ');
}

function returned(facts: Facts, payout: ShownPayout): string {
  const back = formatMoney(BigInt(payout.amount_returned_minor), payout.currency);
  const part = payout.amount_returned_minor < payout.amount_minor ? `${back} of ${amountOf(payout)}` : back;
  const said = saidBy(facts, payout);
  return [`Came back: ${part} is on ${account(facts)} again.`, payout.failure_message, said]
    .filter((each) => each !== null)
    .join(' ');
}

/** What the payout itself knows and no event tells any more, since events are kept for 90 days. */
function forgotten(facts: Facts): readonly Line[] {
  const { payout, events, file } = facts;
  const isKept = (type: string) => events.some((event) => event.type === type);
  const lines: Line[] = [];
  const { in_transit_at: sentAt, ended_at: endedAt, status } = payout;
  if (sentAt !== null && !isKept('payout.in_transit'))
    lines.push(line(sentAt, 'sent', null, sentText(facts), { payment_file: file?.id ?? null }));
  if (endedAt === null || isKept(`payout.${status}`)) return lines;
  const refs = { transfer: payout.reversal };
  if (status === 'paid') lines.push(line(endedAt, 'paid', null, 'Paid: the bank executed it.'));
  if (status === 'failed') lines.push(line(endedAt, 'failed', null, failed(facts, payout), refs));
  if (status === 'returned') lines.push(line(endedAt, 'returned', null, returned(facts, payout), refs));
  if (status === 'canceled' && payout.release?.rejection == null)
    lines.push(line(endedAt, 'canceled', null, `Canceled. ${whereBack(facts)}`, refs));
  return lines;
}

function booked(facts: Facts, { id, direction, amount, bookedOn, at }: OfEntry): Line {
  const money = formatMoney(amount, facts.payout.currency);
  const on = bookedOn === null ? '' : ` on ${dayInWords(bookedOn)}`;
  const text =
    direction === 'debit'
      ? `${capital(bank(facts))} booked ${money} out${on}.`
      : `${capital(bank(facts))} booked ${money} that came back${on}.`;
  return line(at, 'booked', null, text, { bank_entry: id });
}

function undelivered({ id, endpoint, host, event, eventType, status, attempts, at, error }: OfDelivery): Line {
  const state = status === 'pending' ? 'It is tried again.' : 'It is not tried again by itself.';
  const why = error === null ? '' : `: ${error.replace(/\.$/, '')}`;
  const text = `${eventType} was not delivered to ${host} in ${times(attempts, 'attempt')}${why}. ${state}`;
  return line(at, 'delivery', null, text, { delivery: id, webhook_endpoint: endpoint, event });
}

/** Reasons for which the recipient has to be corrected, or the account. */
const OF_RECIPIENT: ReadonlySet<string> = new Set(
  'account_closed account_frozen bank_account_restricted bank_ownership_changed invalid_account_number incorrect_account_holder_name incorrect_account_holder_address incorrect_account_holder_tax_id invalid_currency no_account unsupported_card recipient_name_mismatch'.split(
    ' ',
  ),
);
const advice = (code: string | null): string => {
  if (code !== null && OF_RECIPIENT.has(code)) return 'Correct the recipient, and pay again.';
  return code === 'insufficient_funds' ? 'Fund the account, and pay again.' : 'Ask the bank before you pay again.';
};

/** Where the money is now, and what to do: the first thing to read out. */
export function summaryOf(facts: Facts): string {
  const { payout } = facts;
  const { release, ended_at: endedAt, expected_arrival_on: arrival, failure_message: message } = payout;
  const arrives = arrival === null ? '' : ` It should arrive by ${dayInWords(arrival)}.`;
  switch (payout.status) {
    case 'waiting': {
      const until = payout.wait_until_on === null ? '' : ` until ${dayInWords(payout.wait_until_on)}`;
      return `It waits for money on ${account(facts)}${until}. Nothing has been debited.`;
    }
    case 'pending': {
      if (release?.status === 'held') {
        const left = release.approvals_required - release.approvals.length;
        return `It waits for ${times(left, 'approval')}, because ${holdsInWords(release.reasons)}.`;
      }
      const leaves =
        payout.scheduled_on === null
          ? 'It leaves next.'
          : `It leaves on ${dayInWords(payout.scheduled_on)}, or as soon after as it can.`;
      return `${leaves}${arrives}`;
    }
    case 'in_transit': {
      const since = payout.in_transit_at === null ? '' : ` since ${dayOf(payout.in_transit_at)}`;
      return `It is with ${bank(facts)}${since}.${arrives}`;
    }
    case 'paid':
      return `It was paid${endedAt === null ? '' : ` on ${dayOf(endedAt)}`}.${arrives}`;
    case 'failed':
      if (payout.transfer === null) return failed(facts, payout);
      return [message, `The money is back on ${account(facts)}.`, advice(payout.failure_code)]
        .filter((each) => each !== null)
        .join(' ');
    case 'returned':
      return [
        returned(facts, { ...payout, failure_message: null, bank_reason: null }),
        message,
        advice(payout.failure_code),
      ]
        .filter((each) => each !== null)
        .join(' ');
    default:
      if (release?.rejection != null) return rejected(facts);
      return `It was canceled${endedAt === null ? '' : ` on ${dayOf(endedAt)}`}. ${whereBack(facts)}`;
  }
}
