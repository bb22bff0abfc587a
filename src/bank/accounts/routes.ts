/** The operations of bank accounts. Decisions: `decide.ts`. */
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf, schemaOf } from '../../platform/http/object-schema.ts';
import { currency, oneOf } from '../../platform/http/request/params.ts';
import { always, answers, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import type { BankCommand } from './slice.ts';
import { BANK_ACCOUNT } from './fields.ts';
import {
  approveBankAccountParams,
  createBankAccountParams,
  createCommand,
  resumeExportsParams,
  updateBankAccountParams,
  updateCommand,
} from './parameters.ts';
import { BANK_ACCOUNTS } from './sql.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';

const route = routesOf('Bank accounts', 'bank_accounts');

const approval = routesOf('Bank accounts', 'bank_account_approvals');

const EXAMPLE = exampleOf(BANK_ACCOUNT);

export function bankAccountRoutes(service: Service<BankCommand>): Route[] {
  const { idIn, list, retrieve } = readsOf(service, BANK_ACCOUNT, BANK_ACCOUNTS);
  return [
    route('createBankAccount', 'POST /v1/bank_accounts', {
      summary: 'Add a bank account',
      description:
        'An account of yours at a bank. It begins at zero, and the bank’s bookings move it. Your bank tells you `cut_off` and `time_zone`. With `hold_bank_accounts` in `/v1/settings/payouts`, `collections` waits for a second person.',
      body: createBankAccountParams,
      request: {
        currency: 'EUR',
        country: 'DE',
        holder: 'Example GmbH',
        bank_details: { iban: 'DE02120300000000202051' },
        cut_off: '14:30',
        time_zone: 'Europe/Berlin',
      },
      response: answers('BankAccount', EXAMPLE),
      errors: [
        'bank_account_exists',
        'bank_account_count',
        'country_unsupported',
        'iban_invalid',
        'bic_invalid',
        'routing_number_invalid',
        'sort_code_invalid',
        'account_number_invalid',
        'parameter_missing',
      ],
      handle: (call) => service.write(call, createCommand(call.body)),
    }),
    route('listBankAccounts', 'GET /v1/bank_accounts', {
      summary: 'List bank accounts',
      isRepeatable: always,
      query: listParams('ba', {
        currency: currency({ description: 'Only of this currency.' }),
        status: oneOf(['open', 'closed'], { description: 'Only in this state.' }),
      }),
      response: answersList('BankAccount', EXAMPLE),
      handle: (call) => list(call),
    }),
    route('retrieveBankAccount', 'GET /v1/bank_accounts/:id', {
      summary: 'Retrieve a bank account',
      isRepeatable: always,
      response: answers('BankAccount', EXAMPLE),
      handle: (call) => retrieve(call),
    }),
    route('updateBankAccount', 'POST /v1/bank_accounts/:id', {
      summary: 'Change a bank account',
      description: 'Country, currency and bank details stay. For another account, add another bank account.',
      body: updateBankAccountParams,
      request: { cut_off: '15:00' },
      response: answers('BankAccount', { ...EXAMPLE, cut_off: '15:00' }),
      errors: ['bank_account_closed'],
      handle: (call) => service.write(call, updateCommand(idIn(call), call.body)),
    }),
    route('closeBankAccount', 'POST /v1/bank_accounts/:id/close', {
      summary: 'Close a bank account',
      description: 'Its balance has to be zero. It stays readable.',
      response: answers('BankAccount', { ...EXAMPLE, status: 'closed' }),
      errors: ['bank_account_closed', 'bank_account_not_empty'],
      handle: (call) => service.write(call, { type: 'close_bank_account', bankAccount: idIn(call) }),
    }),
    route('resumeExports', 'POST /v1/bank_accounts/:id/resume_exports', {
      summary: 'Resume exports',
      description:
        'A statement whose balance differs from the ledger has stopped the exports (`on_drift`). After this request payouts leave again. Look at `bank_statement.drift_detected` first. The same difference in later statements does not stop them again, another one does.',
      body: resumeExportsParams,
      request: { reason: 'The missing statement was imported' },
      response: answers('BankAccount', EXAMPLE),
      errors: ['exports_not_stopped'],
      handle: (call) =>
        service.write(call, { type: 'resume_bank_account', bankAccount: idIn(call), reason: call.body.reason }),
    }),
    approval('approveBankAccount', 'POST /v1/bank_accounts/:id/approve', {
      summary: 'Approve a change of what payers are shown',
      description:
        'With `hold_bank_accounts`, payers are shown a new bank account, or a new holder, only after this. The approving key is of another family than those that asked for the change.',
      body: approveBankAccountParams,
      request: { fingerprint: '7d1c0e4fb3a25986e2c4a60d8f13b759' },
      response: answers('BankAccount', EXAMPLE),
      errors: [
        'change_not_held',
        'approval_by_creator',
        'approval_repeated',
        'approval_key_unconfirmed',
        'approval_outdated',
      ],
      handle: (call) => service.write(call, { type: 'approve_bank_account', bankAccount: idIn(call), ...call.body }),
    }),
    approval('rejectBankAccount', 'POST /v1/bank_accounts/:id/reject', {
      summary: 'Reject a change of what payers are shown',
      response: answers('BankAccount', EXAMPLE),
      errors: ['change_not_held'],
      handle: (call) => service.write(call, { type: 'reject_bank_account', bankAccount: idIn(call) }),
    }),
  ];
}

export const BANK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  BankAccount: schemaOf(BANK_ACCOUNT, 'An account of yours at a bank. The bank’s bookings move it.'),
};
