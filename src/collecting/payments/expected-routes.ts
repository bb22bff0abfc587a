/** The operations of expected payments, and the code for banking apps. Decisions: `expected-decide.ts`. */
import type { CollectionAccount } from '../../core/objects.ts';
import { bankingCode } from '../../core/rails/banking-code.ts';
import { RequestError } from '../../core/values/errors.ts';
import { formatMinor, parseAmount } from '../../core/values/money.ts';
import { formatIn, formOf, formsOf } from '../../platform/http/request/forms.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import * as param from '../../platform/http/request/params.ts';
import { always, AMOUNT_ERRORS, answers, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import { pngOf, svgOf } from './code-picture.ts';
import type { PaymentCommand } from './slice.ts';
import { EXPECTED_PAYMENT, EXPECTED_PAYMENT_STATUSES, type ExpectedPayment } from './fields.ts';
import { collectingAccount, EXPECTED_PAYMENTS } from './sql.ts';
import { newReference } from './tokens.ts';
import { date } from '../../platform/http/request/date.ts';

const route = routesOf('Expected payments', 'payments');

const EXAMPLE = exampleOf(EXPECTED_PAYMENT);

const createExpectedParams = param.params({
  amount: param.amount({ description: 'The expected amount, in major units.', example: '119.00' }),
  currency: param.currency({ description: 'Its currency.' }),
  ...param.optional({
    account: param.id('acct', { description: 'Account to credit; by default the oldest open one of the currency.' }),
    payer: param.text({ kind: 'name', max: 140, description: 'Who is expected to pay.', example: 'Example AG' }),
    description: param.text({ max: 500, description: 'What the payment is for.', example: 'Invoice 2026-17' }),
    due_on: date({ description: 'The last day on which the payment is in time, in UTC.' }),
    metadata: param.metadata(),
  }),
});
const PICTURES = formsOf({ svg: 'image/svg+xml', png: 'image/png' });
const codeParams = param.params(formatIn(PICTURES, 'The picture.'));

export function expectedPaymentRoutes(service: Service<PaymentCommand>): Route[] {
  const ofAccounts = 't.account_id = ANY ($::uuid[])';
  const { idIn, find, list, retrieve } = readsOf(service, EXPECTED_PAYMENT, EXPECTED_PAYMENTS, { ofAccounts });
  return [
    route('createExpectedPayment', 'POST /v1/expected_payments', {
      summary: 'Expect a payment by bank transfer',
      description:
        'For an invoice of yours. It gets a creditor reference (ISO 11649) of its own. Money that the bank books with this reference is credited to the account, also in parts or too much. `overdue` and `paid` are events.',
      body: createExpectedParams,
      request: {
        amount: '119.00',
        currency: 'EUR',
        payer: 'Example AG',
        description: 'Invoice 2026-17',
        due_on: '2026-12-20',
      },
      response: answers('ExpectedPayment', EXAMPLE),
      errors: [
        ...AMOUNT_ERRORS,
        'resource_missing',
        'account_missing',
        'account_closed',
        'account_currency_mismatch',
        'currency_unsupported',
      ],
      handle: (call) => {
        const { body } = call;
        const amount = parseAmount(body.amount, body.currency);
        if (typeof amount !== 'bigint') throw param.paramError(amount.code, 'amount', amount.message);
        return service.write(call, {
          type: 'create_expected_payment',
          amount,
          currency: body.currency.code,
          account: body.account ?? null,
          reference: newReference(),
          payerName: body.payer ?? null,
          description: body.description ?? null,
          dueOn: body.due_on ?? null,
          metadata: body.metadata,
        });
      },
    }),
    route('listExpectedPayments', 'GET /v1/expected_payments', {
      summary: 'List expected payments',
      isRepeatable: always,
      query: listParams('xp', {
        status: param.oneOf(EXPECTED_PAYMENT_STATUSES, { description: 'Only in this state.' }),
        currency: param.currency({ description: 'Only of this currency.' }),
        account: param.id('acct', { description: 'Only expected payments that credit this account.' }),
        reference: param.text({
          kind: 'code',
          max: 25,
          description: 'Only the expected payment with this creditor reference.',
        }),
      }),
      response: answersList('ExpectedPayment', EXAMPLE),
      handle: (call) => list(call, { account: 'account_id' }),
    }),
    route('retrieveExpectedPayment', 'GET /v1/expected_payments/:id', {
      summary: 'Retrieve an expected payment',
      isRepeatable: always,
      response: answers('ExpectedPayment', EXAMPLE),
      handle: retrieve,
    }),
    route('cancelExpectedPayment', 'POST /v1/expected_payments/:id/cancel', {
      summary: 'Cancel an expected payment',
      description: 'Money that has come stays. Money that names it from now on waits for a person.',
      response: answers('ExpectedPayment', { ...EXAMPLE, status: 'canceled' }),
      errors: ['expected_payment_ended'],
      handle: (call) => service.write(call, { type: 'cancel_expected_payment', expectedPayment: idIn(call) }),
    }),
    route('codeOfExpectedPayment', 'GET /v1/expected_payments/:id/code', {
      summary: 'Retrieve the code for banking apps',
      description:
        'A QR code with account, amount and reference, as a picture for an invoice. It asks for the missing amount, to the open bank account that collects in the currency. For euro it is an EPC code (EPC069-12). For Swiss francs it is the Swiss QR code of a QR-bill: the bank account needs a `holder_address` with a postal code. With a QR-IBAN it has a QR reference, which leads here as `reference` does.',
      query: codeParams,
      response: {
        schema: { type: 'string', description: 'The picture.' },
        example: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
      },
      forms: PICTURES,
      errors: ['epc_code_unavailable', 'expected_payment_ended'],
      handle: async (call) => {
        const found = await find(call);
        const [bank] = await service.rows(collectingAccount(call.caller.environmentId, found.currency));
        return { status: 200, ...(await pictureOf(found, bank, formOf(call))) };
      },
    }),
  ];
}

async function pictureOf(
  expected: ExpectedPayment,
  bank: Readonly<Record<string, unknown>> | undefined,
  format: 'svg' | 'png',
): Promise<{ readonly body: string | Buffer; readonly contentType: string }> {
  const { id: expectedPayment, status, amount, received, currency: code, reference } = expected;
  if (status === 'paid' || status === 'canceled') {
    const message = `Expected payment ${expectedPayment} is ${status}; nothing is to be paid.`;
    throw new RequestError('expected_payment_ended', message, { current_status: status });
  }
  const account = JSON.parse((bank?.['account'] as string | undefined) ?? '{}') as CollectionAccount;
  const asked = { currency: code, amount: amount - received, rf: reference };
  const made = bankingCode(account, asked);
  if (made === null) {
    const why =
      bank === undefined
        ? `no open bank account in ${code} collects. A code needs one in EUR or CHF`
        : code === 'CHF'
          ? 'in CHF it needs a Swiss IBAN, and a holder_address of the bank account with a postal code'
          : `it is over ${formatMinor(amount, 2)} ${code}`;
    throw new RequestError('epc_code_unavailable', `There is no code for expected payment ${expectedPayment}: ${why}.`);
  }
  return format === 'svg'
    ? { body: await svgOf(made), contentType: 'image/svg+xml' }
    : { body: pngOf(made), contentType: 'image/png' };
}
