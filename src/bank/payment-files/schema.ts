/** Payment files on the wire. */
import type { Replies } from '../../core/decision.ts';
import { type JsonSchema, ref, strictObject } from '../../core/values/json-schema.ts';
import { amountMembers, moneyMembers } from '../../core/values/money.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import { amount, dryRun, id, optional, optionalParams, params, text } from '../../platform/http/request/params.ts';
import { PAYMENT_FILE, HELD_REASONS, type Planned, type Shortfall } from './fields.ts';

const SUMS = {
  currency: { type: 'string' },
  payouts_count: { type: 'integer' },
  total: { type: 'number', description: 'Major units.' },
  total_minor: { type: 'integer', description: 'The same in minor units.' },
} as const;

export const PAYMENT_FILE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PaymentFile: schemaOf(PAYMENT_FILE, 'A file of payments for your bank (pain.001).'),
  Shortfall: strictObject('What a bank account lacks, by its statements so far.', {
    bank_account: { type: 'string' },
    currency: { type: 'string' },
    balance: { type: 'integer', description: 'What the bank has booked, minor units.' },
    amount: { type: 'number', description: 'The sum that is missing, major units.' },
    amount_minor: { type: 'integer', description: 'The same in minor units.' },
  }),
  PaymentFileExport: strictObject('The payouts that leave, and those that stay.', {
    object: { type: 'string', const: 'payment_file_export' },
    livemode: { type: 'boolean' },
    dry_run: { type: 'boolean', description: 'It was a dry run: nothing left.' },
    planned: {
      type: 'array',
      description: 'The payouts that leave, file by file. More may follow into the same file until it is sealed.',
      items: strictObject('A file.', {
        bank_account: { type: 'string' },
        route: { type: 'string' },
        execution_on: { type: 'string', format: 'date' },
        category_purpose: { type: ['string', 'null'], description: 'Of all its payouts.' },
        batch_booking: { type: 'boolean', description: 'Whether the bank is asked to book it as one entry.' },
        ...SUMS,
      }),
    },
    files: { type: 'array', description: 'The files that are being filled.', items: ref('PaymentFile') },
    held: {
      type: 'array',
      description: 'Payouts that stay, and why.',
      items: strictObject('Payouts of a currency.', {
        reason: { type: 'string', enum: HELD_REASONS },
        ...SUMS,
        message: { type: 'string', description: 'The reason in words. If payouts differ, it is that of the first.' },
      }),
    },
    shortfalls: {
      type: 'array',
      description: 'Bank accounts that do not cover what has left and what is to leave. They pay all the same.',
      items: ref('Shortfall'),
    },
  }),
};

export const exportParams = params({
  ...optional({
    bank_account: id('ba', {
      description:
        'Pay from this bank account; by default from the oldest open one of each currency. Payouts that name a bank account leave only from that one.',
    }),
  }),
  dry_run: dryRun,
});

export const abandonParams = params({
  reason: text({
    max: 200,
    pattern: /\S/,
    shape: 'a reason',
    description: 'The reason. The text is kept.',
    example: 'Lost on the way',
  }),
});

export const depositParams = optionalParams({
  deposit: amount({ description: 'Incoming money that the statement also has, in major units.', example: '100' }),
  text: text({ max: 140, description: 'The payer’s text, for example a reference.', example: 'RF18539007547034' }),
});

export function renderExport(
  { planned, files, held, shortfalls }: Omit<Replies['payment_file_export'], 'object' | 'id'>,
  livemode: boolean,
  isDryRun = false,
): string {
  const sums = (each: Pick<Planned, 'currency' | 'payoutsCount' | 'total'>) =>
    `"currency":"${each.currency}","payouts_count":${each.payoutsCount},${moneyMembers('total', each.total, each.currency)}`;
  const leaving = planned.map(
    (each) =>
      `{"bank_account":"${each.bankAccount}","route":"${each.route}","execution_on":"${each.executionOn}","category_purpose":${JSON.stringify(each.categoryPurpose)},"batch_booking":${each.batchBooking},${sums(each)}}`,
  );
  const staying = held.map(
    (each) => `{"reason":"${each.reason}",${sums(each)},"message":${JSON.stringify(each.message)}}`,
  );
  const opened = files.map((file) => PAYMENT_FILE.render(file, livemode));
  return `{"object":"payment_file_export","livemode":${livemode},"dry_run":${isDryRun},"planned":[${leaving.join(',')}],"files":[${opened.join(',')}],"held":[${staying.join(',')}],"shortfalls":${renderShortfalls(shortfalls)}}`;
}

/** As a JSON list. */
export function renderShortfalls(shortfalls: readonly Shortfall[]): string {
  const members = shortfalls.map(
    ({ bankAccount, currency, balance, missing }) =>
      `{"bank_account":"${bankAccount}","currency":"${currency}","balance":${balance},${amountMembers(missing, currency)}}`,
  );
  return `[${members.join(',')}]`;
}
