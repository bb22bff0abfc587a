/**
 * Two older versions of the API that exist in tests only: what a breaking change will look like. A day, a name and a type of event were
 * called otherwise, an amount was nested, and errors named the old parameters.
 */
import { isObject, type Tree } from '../../../src/platform/http/request/param.ts';
import type { TreeObject } from '../../../src/platform/http/version/changes.ts';
import { type Change, type PastVersion, Versions } from '../../../src/platform/http/version/versions.ts';

export const MIDDLE = '2026-06-01';
export const OLDEST = '2026-03-01';

/** The member under another name, at its place; an object that has none stays as it is. */
export const renamed =
  (from: string, to: string) =>
  (object: TreeObject): TreeObject =>
    from in object
      ? Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]))
      : object;

/** The value of a member in other words. */
const said =
  (member: string, from: string, to: string) =>
  (object: TreeObject): TreeObject =>
    object[member] === from ? { ...object, [member]: to } : object;

const DAY: Change = {
  about: '`scheduled_for` of payouts is called `scheduled_on`.',
  objects: {
    payout: renamed('scheduled_on', 'scheduled_for'),
    event: said('type', 'payout.in_transit', 'payout.sent'),
    error: said('param', 'scheduled_on', 'scheduled_for'),
  },
  requests: {
    createPayout: renamed('scheduled_for', 'scheduled_on'),
    createPayoutBatch: ({ payouts, ...rest }) => ({
      ...rest,
      ...(payouts !== undefined && { payouts: eachOf(payouts) }),
    }),
    listEvents: said('type', 'payout.sent', 'payout.in_transit'),
  },
};

/** In a form the items of a list are members of an object, by their number. */
function eachOf(items: Tree): Tree {
  const change = (item: Tree) => (isObject(item) ? renamed('scheduled_for', 'scheduled_on')(item) : item);
  if (Array.isArray(items)) return (items as readonly Tree[]).map(change);
  if (!isObject(items)) return items;
  return Object.fromEntries(Object.entries(items).map(([index, item]) => [index, change(item)]));
}

const MONEY: Change = {
  about: '`money` of payouts is `amount` and `amount_minor`.',
  objects: {
    payout: ({ amount, amount_minor, ...rest }) => ({
      ...rest,
      ...(amount !== undefined && amount_minor !== undefined && { money: { amount, amount_minor } }),
    }),
    account: renamed('name', 'label'),
  },
  requests: { createAccount: renamed('label', 'name'), updateAccount: renamed('label', 'name') },
};

/** The same day under its oldest name: two changes of one member, one after another. */
const OLDER_DAY: Change = {
  about: '`day` of payouts is called `scheduled_for`.',
  objects: { payout: renamed('scheduled_for', 'day') },
  requests: { createPayout: renamed('day', 'scheduled_for') },
};

export const MADE_UP: readonly PastVersion[] = [
  { date: MIDDLE, since: '2026-12-01', sunset: '2027-12-01', changes: [DAY] },
  { date: OLDEST, since: '2026-06-01', sunset: '2027-06-01', changes: [MONEY, OLDER_DAY] },
];

export const madeUpVersions = (): Versions => new Versions(MADE_UP);
