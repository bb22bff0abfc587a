/** Rules of payouts and limits on the wire. */
import * as field from '../../core/fields.ts';
import { limitDay, type LimitUsage, onlySubjectOf } from '../../core/limits.ts';
import { RequestError } from '../../core/values/errors.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { dayEndMs } from '../../core/rails/execution-day.ts';
import { majorOf } from '../../core/values/money.ts';
import { unixSeconds } from '../../core/values/time.ts';
import {
  type Limit,
  LIMIT_SUBJECTS,
  type PayoutRules,
  ROUTES_AS_IN,
  shownChanges,
  shownDeletion,
  WAITING_PAYOUTS,
} from '../../core/payout-rules.ts';
import { pendingSchema } from '../../core/pending.ts';
import type { Announced } from '../../core/objects.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import * as param from '../../platform/http/request/params.ts';
import { timeZone } from '../../platform/http/request/time-zone.ts';
import type { CreateLimit } from './rules-decide.ts';

const MOST_HOURS = 720;
const MOST_COUNT = 1_000_000;
const ACTIONS = ['refuse', 'hold'] as const;

export const updateRulesParams = param.changesParams({
  frozen: param.boolean({ description: 'While it is `true`, no payout is made and none leaves.' }),
  hold_new_recipients_hours: param.integer({
    min: 0,
    max: MOST_HOURS,
    description:
      'Holds payouts if the recipient, its name or its bank details are younger than so many hours. 0 holds none.',
  }),
  hold_bank_accounts: param.boolean({
    description:
      'Changes of the bank accounts that payers see wait for a second person: `POST /v1/bank_accounts/:id/approve`.',
  }),
  approvals_required: param.integer({
    min: 1,
    max: 2,
    description: 'How many keys have to approve a held payout or change. It counts for what is held from now on.',
  }),
  routes: param.oneOf(ROUTES_AS_IN, {
    description:
      '`live`: a sandbox also refuses payouts that no bank account of yours could make, as live always does. `sandbox`: it only asks the bank accounts that exist.',
  }),
  waiting_payouts: param.oneOf(WAITING_PAYOUTS, {
    description:
      'Payouts that wait for money (`on_insufficient_funds=wait`). `in_order`: the money that they need is kept for them, the oldest first, and a new payout waits or is refused. `may_be_passed`: every payout that the balance is enough for is made, so a large one may wait long.',
  }),
  time_zone: timeZone('The time zone in which the days of limits begin, an IANA name.'),
});

const limitFields = {
  ...param.optional({
    currency: param.currency({
      description: 'Only what leaves in this currency, unless `all_currencies` is set. An `amount` needs it.',
    }),
    all_currencies: param.boolean({
      description:
        'What leaves in another currency counts too, at its value in `currency`. By default only what leaves in `currency` counts, or everything where there is no `currency`.',
    }),
    amount: param.amount({ description: 'The largest sum of a day, in major units of `currency`.', example: 10_000 }),
    count: param.integer({ min: 0, max: MOST_COUNT, description: 'The largest number of payouts a day.' }),
    per: param.oneOf(LIMIT_SUBJECTS, {
      description:
        'Who has the limit: each key, each account, each recipient, or the whole environment. By default it is the environment, or the key, account or recipient that the limit names.',
    }),
    key: param.id('key', { description: 'Only this key.' }),
    account: param.id('acct', { description: 'Only this account.' }),
    recipient: param.id('rcp', { description: 'Only this recipient, and others with the same bank account.' }),
  }),
  action: param.withDefault(
    param.oneOf(ACTIONS, {
      description: 'What happens to a payout that would exceed it. An exchange is always refused.',
    }),
    'refuse',
  ),
};

export const createLimitParams = param.params(limitFields);
/** Throws `parameter_missing` and `parameter_conflict` for what does not fit together. */
export function limitFrom(parsed: param.Parsed<typeof limitFields>): CreateLimit {
  const { currency, amount, count, action, all_currencies: allCurrencies = currency === undefined } = parsed;
  if (amount === undefined && count === undefined) {
    throw new RequestError('parameter_missing', 'A limit needs amount, count, or both.', { param: 'amount' });
  }
  if (amount !== undefined && currency === undefined) {
    throw new RequestError('parameter_missing', 'A limit with an amount needs its currency.', { param: 'currency' });
  }
  if (allCurrencies && currency !== undefined && amount === undefined) {
    const message =
      'A limit in all currencies takes currency with an amount only. Send an amount, or leave currency out.';
    throw new RequestError('parameter_conflict', message, { param: 'currency' });
  }
  if (!allCurrencies && currency === undefined) {
    const message =
      'Without a currency, payouts of every currency count. Give a currency, or leave all_currencies out.';
    throw new RequestError('parameter_conflict', message, { param: 'all_currencies' });
  }
  const [subject, odd] = (['key', 'account', 'recipient'] as const).filter((each) => parsed[each] !== undefined);
  const wrong =
    odd ?? (parsed.per !== undefined && subject !== undefined && parsed.per !== subject ? subject : undefined);
  if (wrong !== undefined) {
    const message = `${wrong} does not go with ${odd === undefined ? 'per' : subject}: a limit is about one of key, account and recipient, and per names the same.`;
    throw new RequestError('parameter_conflict', message, { param: wrong });
  }
  return {
    type: 'create_limit',
    currency: currency?.code ?? null,
    allCurrencies,
    amount: amount === undefined || currency === undefined ? null : param.amountIn(currency, amount, 'amount'),
    count: count ?? null,
    per: parsed.per ?? subject ?? 'environment',
    of: subject === undefined ? null : (parsed[subject] ?? null),
    action,
  };
}

export function renderRules(rules: PayoutRules, livemode: boolean): string {
  const { frozen, holdNewRecipientsHours, holdBankAccounts, approvalsRequired, routes, timeZone: time_zone } = rules;
  const { waitingPayouts } = rules;
  return JSON.stringify({
    object: 'payout_rules',
    livemode,
    frozen,
    hold_new_recipients_hours: holdNewRecipientsHours,
    hold_bank_accounts: holdBankAccounts,
    approvals_required: approvalsRequired,
    routes: livemode ? 'live' : routes,
    waiting_payouts: waitingPayouts,
    time_zone,
    pending_changes: shownChanges(rules),
  });
}

/** The id of the one that a limit names. */
const only = (subject: Limit['per']) =>
  field.derived(subject, { type: ['string', 'null'] }, ({ per, of }: Limit) =>
    JSON.stringify(per === subject ? of : null),
  );

/** A limit as it is shown: with what is used of it in the current interval. */
export interface ShownLimit extends Limit {
  /** `null`: each has its own usage. */
  readonly used: Pick<LimitUsage, 'usedAmount' | 'usedCount'> | null;
  /** Milliseconds. */
  readonly intervalEndsAt: number;
}

/** `used` is `null` where no `amount` is limited, or where each has its own. */
const usedAmount = (member: string, type: string, description: string, json: (minor: bigint, code: string) => string) =>
  field.derived(
    member,
    { type: [type, 'null'], description },
    ({ used, currency }: ShownLimit) => (used === null || currency === null ? 'null' : json(used.usedAmount, currency)),
    member === 'used' ? 2_500 : 250_000,
  );

/** Kept in the environment's row: the list gives its JSON, schema and example. */
export const LIMIT = field.objectType('limit', 'lim', {
  currency: field.textOrNull({ description: '`null`: payouts of every currency count.', example: 'EUR' }),
  allCurrencies: field.flag({
    description:
      'Whether other currencies count too. Then `used` is in `currency`, at the mid-market rates at which it was counted.',
    example: false,
  }),
  amount: field.moneyOrNull({ example: 1_000_000 }),
  count: field.countOrNull({ description: 'Payouts.' }),
  used: usedAmount(
    'used',
    'number',
    'What leaves in the current interval, in major units. `null` without a currency, if each has the limit for itself, and in events about a limit that was used.',
    majorOf,
  ),
  usedMinor: usedAmount('used_minor', 'integer', 'The same in minor units.', String),
  usedCount: field.derived(
    'used_count',
    {
      type: ['integer', 'null'],
      description:
        'Payouts that leave in the current interval. `null` if each has it for itself, and in events about a limit that was used.',
    },
    ({ used }: ShownLimit) => String(used && used.usedCount),
    3,
  ),
  interval: field.derived('interval', { const: 'day' }, () => '"day"'),
  intervalEndsAt: field.derived(
    'interval_ends_at',
    { type: 'integer', description: 'When the current interval ends, Unix seconds.' },
    ({ intervalEndsAt }: ShownLimit) => String(unixSeconds(intervalEndsAt)),
    1_732_233_600,
  ),
  per: field.oneOf(LIMIT_SUBJECTS),
  key: only('key'),
  account: only('account'),
  recipient: only('recipient'),
  action: field.oneOf(ACTIONS, { example: 'hold' }),
  pendingDeletion: field.derived(
    'pending_deletion',
    pendingSchema('That somebody asked to delete it, and that this waits for a second person.'),
    (limit: ShownLimit) => JSON.stringify(shownDeletion(limit)),
    null,
  ),
});

export const renderLimit = (limit: ShownLimit, livemode: boolean): string =>
  LIMIT.render({ object: 'limit', ...limit }, livemode);

/** As it is when it is made, nothing is used; or when it goes. */
export function renderAnnouncedLimit({ limit, rules, atMs, used }: Announced['limit'], livemode: boolean): string {
  const shown = shownOn(limit, rules, atMs, undefined);
  return renderLimit({ ...limit, ...shown, ...(used === null && { used }) }, livemode);
}

/** `usage`: that of the day of the instant, if there is one. */
export function shownOn(
  limit: Limit,
  rules: PayoutRules,
  atMs: number,
  usage: LimitUsage | undefined,
): Pick<ShownLimit, 'used' | 'intervalEndsAt'> {
  const used = onlySubjectOf(limit, '') === null ? null : (usage ?? { usedAmount: 0n, usedCount: 0 });
  return { used, intervalEndsAt: dayEndMs(limitDay(rules, atMs), rules.timeZone) };
}

export const RULES_SCHEMAS: Readonly<Record<string, param.JsonSchema>> = {
  PayoutRules: strictObject('The rules of an environment for its payouts. Limits are in `/v1/limits`.', {
    object: { const: 'payout_rules' },
    livemode: { type: 'boolean' },
    frozen: { type: 'boolean' },
    hold_new_recipients_hours: { type: 'integer', minimum: 0 },
    hold_bank_accounts: { type: 'boolean' },
    approvals_required: { type: 'integer', minimum: 1, maximum: 2 },
    routes: { type: 'string', enum: ROUTES_AS_IN },
    waiting_payouts: {
      type: 'string',
      enum: WAITING_PAYOUTS,
      description: '`in_order`: money that payouts wait for is kept for them. `may_be_passed`: others may take it.',
    },
    time_zone: { type: 'string', description: 'Where the days of limits begin, an IANA name.' },
    pending_changes: pendingSchema('What would loosen the rules, and waits for a second person.', {
      changes: {
        type: 'object',
        description: 'The rules that change, as they are to be.',
        properties: {
          frozen: { type: 'boolean' },
          hold_new_recipients_hours: { type: 'integer' },
          hold_bank_accounts: { type: 'boolean' },
          approvals_required: { type: 'integer' },
          time_zone: { type: 'string' },
        },
      },
    }),
  }),
  Limit: schemaOf(LIMIT, 'How much may leave in a day.'),
  DeletedLimit: strictObject('What became of the deletion of a limit.', {
    id: { type: 'string' },
    object: { const: 'limit' },
    deleted: {
      type: 'boolean',
      description: '`false`: it stays, because its deletion waits for a second person or was rejected.',
    },
  }),
};
