/** Standing orders and their runs, field by field. Types, rows, JSON and schemas follow from these lists. */
import { exampleId } from '../../core/values/ids.ts';
import * as field from '../../core/fields.ts';
import { SPEEDS } from '../../core/rails/payment-schemes.ts';
import { CATEGORY_PURPOSES } from '../../core/rails/purposes.ts';
import { REFERENCE_TYPES } from '../../core/rails/structured-references.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { INTERVALS } from './calendar.ts';

export const STANDING_ORDER_STATUSES = ['active', 'paused', 'completed', 'canceled'] as const;

const FAILURE_SCHEMA = strictObject('Why the newest run made no payout; `null` once one made it.', {
  planned_on: { type: 'string', format: 'date', description: 'The planned day.' },
  code: { type: 'string', description: 'A code of the errors page.' },
  message: { type: 'string' },
});

export const STANDING_ORDER = field.objectType('standing_order', 'so', {
  amount: field.money({ description: 'Amount of each payout, in major units.', example: 85_000, mutable: true }),
  currency: field.currency(),
  recipient: field.id('rcp', {
    column: 'recipient_id',
    schema: {
      type: ['string', 'null'],
      description: '`null` where it pays salaries, bonuses or pensions, for a key without `payroll:read`.',
    },
  }),
  account: field.id('acct', { column: 'account_id', description: 'Account debited.' }),
  speed: field.oneOf(SPEEDS, { description: 'Of each payout.' }),
  status: field.oneOf(STANDING_ORDER_STATUSES, { mutable: true }),
  pausedReason: field.oneOfOrNull(['requested', 'failures'], {
    description: '`failures`: three runs in a row made no payout.',
    mutable: true,
  }),
  canceledReason: field.oneOfOrNull(['requested', 'recipient_redacted'], {
    description: '`recipient_redacted`: the person that it paid was erased.',
    mutable: true,
  }),
  interval: field.oneOf(INTERVALS, { column: 'interval_unit', example: 'month' }),
  intervalCount: field.count({ description: 'It runs on every n-th interval.', example: 1 }),
  first: field.day({
    column: 'first_day',
    member: 'starts_on',
    description: 'The first planned day.',
    example: '2026-12-31',
  }),
  last: field.dayOrNull({
    column: 'last_day',
    member: 'ends_on',
    description: 'No run is planned after this day.',
    mutable: true,
  }),
  count: field.countOrNull({
    column: 'planned_count',
    description: 'How many days are planned in all.',
    mutable: true,
  }),
  next: field.dayOrNull({
    column: 'next_day',
    member: 'next_run_on',
    description: 'The next planned day.',
    example: '2026-12-31',
    mutable: true,
  }),
  runsCount: field.count({ description: 'Runs that made a payout.', mutable: true }),
  failedCount: field.count({ description: 'Runs that made none.', mutable: true }),
  skippedCount: field.count({ description: 'Planned days that were left out.', mutable: true }),
  lastRun: field.dayOrNull({
    member: 'last_run_on',
    description: 'The planned day of the newest run, successful or not.',
    mutable: true,
  }),
  lastPayout: field.idOrNull('po', { column: 'last_payout_id', description: 'The newest payout.', mutable: true }),
  lastFailure: field.jsonOrNull<Readonly<Record<'planned_on' | 'code' | 'message', string>>>(FAILURE_SCHEMA, {
    mutable: true,
  }),
  reference: field.textOrNull({ description: 'Text for the recipient.', example: 'Rent', mutable: true }),
  referenceType: field.oneOfOrNull(REFERENCE_TYPES, {
    description:
      'What the reference is: words (`text`), or a structured reference with check digits. `null` without a reference.',
    example: 'text',
    mutable: true,
  }),
  statementDescriptor: field.textOrNull({ description: 'Short text for the recipient’s statement.', mutable: true }),
  categoryPurpose: field.oneOfOrNull(CATEGORY_PURPOSES, {
    description: 'The category by which banks process it (ISO 20022), such as `SALA` for a salary.',
    mutable: true,
  }),
  purpose: field.textOrNull({
    description: 'What the payee is told that it is for (ISO 20022).',
    mutable: true,
  }),
  endedAt: field.instantOrNull({ description: 'When it was completed or canceled.', mutable: true }),
  /** Whoever said last what is paid: its payouts are theirs, before limits and before approvals. */
  orderedBy: field.actor({ mutable: true }),
  createdBy: field.actor(),
  metadata: field.metadata({ mutable: true }),
  /** How many planned days are behind it: the number of `next`, from 0. */
  plannedIndex: field.count({ hidden: true, mutable: true }),
  failuresInARow: field.count({ hidden: true, mutable: true }),
  /** When the worker takes up the next planned day, paused or not; `null` once it has ended. */
  dueAt: field.instantOrNull({ hidden: true, mutable: true }),
});
export type StandingOrder = field.ObjectOf<typeof STANDING_ORDER>;

/** What came of one planned day. Written once, in the commit of the payout. */
export const STANDING_ORDER_RUN = field.objectType('standing_order_run', 'sor', {
  standingOrder: field.id('so', { column: 'standing_order_id' }),
  number: field.count({ description: 'The number of the planned day, from 1.', example: 1 }),
  day: field.day({ member: 'planned_on', description: 'The planned day.', example: '2026-12-31' }),
  status: field.oneOf(['succeeded', 'failed', 'skipped']),
  madeUp: field.flag({ description: 'It ran after its day.' }),
  payout: field.idOrNull('po', {
    column: 'payout_id',
    description: 'The payout that it made.',
    example: exampleId('po'),
  }),
  code: field.textOrNull({ description: 'Why it made no payout: a code of the errors page.' }),
  message: field.textOrNull({ description: 'The same in words.' }),
});
export type StandingOrderRun = field.ObjectOf<typeof STANDING_ORDER_RUN>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly standing_order: StandingOrder;
    readonly standing_order_run: StandingOrderRun;
  }
  interface Unannounced {
    readonly standing_order_run: StandingOrderRun;
  }
}
