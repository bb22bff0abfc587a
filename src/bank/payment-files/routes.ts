/** The operations of payment files. Decisions: `decide.ts`; what would leave: `plan.ts`; the work: `exporting.ts`. */
import { actorOf } from '../../core/actor.ts';
import { isPayroll } from '../../core/rails/purposes.ts';
import { demand, PAYROLL_READ } from '../../core/scopes.ts';
import { RequestError } from '../../core/values/errors.ts';
import { idAs } from '../../core/values/ids.ts';
import { download } from '../../platform/http/download.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { id, oneOf, pathId } from '../../platform/http/request/params.ts';
import {
  always,
  AMOUNT_ERRORS,
  type Answer,
  answers,
  answersList,
  type Call,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { assertUnrestricted, readsOf, type Service } from '../../platform/http/service.ts';
import { environmentNow } from '../../platform/http/clock.ts';
import type { Seals } from '../../platform/vault/seals.ts';
import type { Completing } from '../../paying/payouts/routes.ts';
import type { PaymentFileCommand } from './slice.ts';
import { bytesOf } from './content.ts';
import { type CoverageParts, withShortfalls } from './coverage.ts';
import { PAYMENT_FILE, type PaymentFile, type PaymentFileContent, FILE_STATUSES } from './fields.ts';
import type { Plan, Asked } from './plan.ts';
import type { Deposit } from './sandbox-bank.ts';
import { abandonParams, depositParams, exportParams, renderExport } from './schema.ts';
import { PAYMENT_FILE_CONTENTS, PAYMENT_FILES, makersOfFile } from './sql.ts';

const route = routesOf('Payment files', 'payment_files');
const helper = routesOf('Test helpers', 'test_helpers');

const FILE = exampleOf(PAYMENT_FILE);
const SEALED = {
  ...FILE,
  status: 'sealed',
  payouts_count: 2,
  total: 350,
  total_minor: 35_000,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size_bytes: 2_310,
  sealed_at: 1_763_370_001,
};
const EXPORT = {
  object: 'payment_file_export',
  livemode: false,
  dry_run: false,
  planned: [
    {
      bank_account: 'ba_01jd3v9q4ng8v8k3w2m6r5t7xa',
      route: 'sepa',
      execution_on: '2026-11-23',
      category_purpose: null,
      batch_booking: false,
      currency: 'EUR',
      payouts_count: 2,
      total: 350,
      total_minor: 35_000,
    },
  ],
  files: [FILE],
  held: [
    {
      reason: 'held',
      currency: 'EUR',
      payouts_count: 1,
      total: 9_000,
      total_minor: 900_000,
      message: 'They wait for approval.',
    },
  ],
  shortfalls: [
    {
      bank_account: 'ba_01jd3v9q4ng8v8k3w2m6r5t7xa',
      currency: 'EUR',
      balance: 20_000,
      amount: 150,
      amount_minor: 15_000,
    },
  ],
};

/** Throws `scope_missing` where the key may not see whom the file pays. */
function demandPayroll({ caller }: Call<unknown, unknown>, { categoryPurpose }: PaymentFile): void {
  if (isPayroll(categoryPurpose)) demand(caller.scopes, PAYROLL_READ, 'a file of salaries, bonuses or pensions');
}

const AS_SECOND_PERSON = 'Given up in the sandbox';
/** Characters of a file that are sent at once. */
const PART_CHARACTERS = 65_536;

export interface PaymentFileParts {
  readonly seals: Seals<PaymentFileContent>;
  plan(asked: Omit<Asked, 'withinMs'> & Partial<Pick<Asked, 'withinMs'>>): Promise<Plan>;
  /** What the bank of a sandbox would say: of a sealed file, and next of a bank account. As XML. */
  reportOn(environmentId: string, file: PaymentFile): Promise<string>;
  nextStatement(environmentId: string, bankAccount: string, deposit: Deposit | null): Promise<string>;
  readonly coverage: CoverageParts;
  wake(): void;
}

/** What the answers to dry runs of payouts say of bank accounts. */
export const completingBy =
  (parts: () => PaymentFileParts): Completing =>
  (caller, answer) =>
    withShortfalls(parts().coverage, caller, answer);

export function paymentFileRoutes(service: Service<PaymentFileCommand>, parts: PaymentFileParts): Route[] {
  const files = readsOf(service, PAYMENT_FILE, PAYMENT_FILES);
  return [
    route('createPaymentFiles', 'POST /v1/payment_files', {
      summary: 'Export payouts',
      description:
        'Puts all payouts that may leave now into payment files, one for each bank account, route, day of execution, `category_purpose` and way of booking. The files are `sealed` a moment later (`payment_file.sealed`). Then download them and send them to your bank. Payouts in a file are `in_transit` and cannot be canceled. `shortfalls` says which bank accounts do not cover what leaves, with the sum that is missing.',
      body: exportParams,
      request: {},
      response: answers('PaymentFileExport', EXPORT),
      errors: [
        'resource_missing',
        'bank_account_closed',
        'bank_account_not_paying',
        'exports_stopped',
        'account_not_allowed',
      ],
      handle: async (call) => {
        assertUnrestricted(call.caller, 'a payment file is about all of them');
        const { environmentId, livemode } = call.caller;
        const { bank_account: bankAccount = null, dry_run: dryRun } = call.body;
        const nowMs = await environmentNow(service, environmentId);
        const plan = await parts.plan({ environmentId, bankAccount, nowMs });
        if (dryRun) return { status: 200, body: renderExport({ ...plan, files: [] }, livemode, true) };
        const answer = await service.write(call, { type: 'open_payment_files', ...plan });
        parts.wake();
        return answer;
      },
    }),
    route('listPaymentFiles', 'GET /v1/payment_files', {
      summary: 'List payment files',
      isRepeatable: always,
      query: listParams('pf', {
        bank_account: id('ba', { description: 'Only files of this bank account.' }),
        status: oneOf(FILE_STATUSES, { description: 'Only in this state.' }),
      }),
      response: answersList('PaymentFile', SEALED),
      handle: (call) => files.list(call, { bank_account: 'bank_account_id' }),
    }),
    route('retrievePaymentFile', 'GET /v1/payment_files/:id', {
      summary: 'Retrieve a payment file',
      isRepeatable: always,
      response: answers('PaymentFile', SEALED),
      handle: (call) => files.retrieve(call),
    }),
    route('downloadPaymentFile', 'GET /v1/payment_files/:id/content', {
      summary: 'Download a payment file',
      mayNeed: ['payroll:read'],
      description:
        'The bytes for your bank, the same each time, until it is abandoned. They contain names and whole account numbers, so a file of salaries, bonuses or pensions needs `payroll:read`.',
      downloads: true,
      response: XML('pain.001'),
      responseContentTypes: ['application/xml'],
      errors: ['payment_file_state_invalid', 'account_not_allowed', 'scope_missing'],
      handle: async (call) => {
        assertUnrestricted(call.caller, 'a payment file is about all of them');
        const { environmentId } = call.caller;
        const file = await files.find(call);
        demandPayroll(call, file);
        if (file.status !== 'sealed') throw withoutContent(file);
        const name = `payouts-${file.currency}-${file.executionOn}-${file.messageId}`;
        return xml(environmentId, name, contentParts(service, parts.seals, environmentId, file));
      },
    }),
    route('abandonPaymentFile', 'POST /v1/payment_files/:id/abandon', {
      summary: 'Give up a payment file',
      description:
        'For a file that did not reach your bank, or that the bank refused as a whole. Its payouts become pending again and leave with the next export. Be sure: if the bank has the file after all, it pays twice. So the key approves payouts, and is of another family than the ones that made the file and its payouts. The bytes cannot be downloaded any more.',
      alsoNeeds: 'payout_approvals:write',
      body: abandonParams,
      request: { reason: 'Lost on the way' },
      response: answers('PaymentFile', { ...SEALED, status: 'abandoning', reason: 'Lost on the way' }),
      errors: [
        'payment_file_answered',
        'payment_file_state_invalid',
        'approval_by_creator',
        'approval_key_unconfirmed',
        'account_not_allowed',
      ],
      handle: async (call) => {
        assertUnrestricted(call.caller, 'a payment file is about all of them');
        const { reason } = call.body;
        const file = files.idIn(call);
        const makers = await makersOf(service, call.caller.environmentId, await files.find(call));
        const answer = await service.write(call, { type: 'abandon_payment_file', file, makers, reason });
        parts.wake();
        return answer;
      },
    }),
    helper('abandonPaymentFileAsSecondPerson', 'POST /v1/test_helpers/payment_files/:id/abandon', {
      summary: 'Give up a payment file of a sandbox as a second person',
      description: 'Stands for a second person, so that you need no second family of keys to try it.',
      response: answers('PaymentFile', { ...SEALED, status: 'abandoning', reason: AS_SECOND_PERSON }),
      errors: ['payment_file_answered', 'payment_file_state_invalid'],
      handle: async (call) => {
        const command = {
          type: 'abandon_payment_file',
          file: files.idIn(call),
          makers: [],
          reason: AS_SECOND_PERSON,
        } as const;
        const answer = await service.write(call, { ...command, as: 'second_person' });
        parts.wake();
        return answer;
      },
    }),
    helper('reportOnPaymentFile', 'GET /v1/test_helpers/payment_files/:id/report', {
      summary: 'Make the bank’s report on a payment file',
      description:
        'A pain.002 for `POST /v1/statement_files`. It rejects payouts to test accounts that fail, and accepts the others.',
      downloads: true,
      response: XML('pain.002'),
      responseContentTypes: ['application/xml'],
      errors: ['payment_file_state_invalid'],
      handle: async (call) => {
        const { environmentId } = call.caller;
        const found = await files.find(call);
        demandPayroll(call, found);
        if (found.status !== 'sealed') throw withoutContent(found);
        const report = await parts.reportOn(environmentId, found);
        return xml(environmentId, `pain002-${found.messageId}`, partsOf(report));
      },
    }),
    helper('nextBankStatement', 'GET /v1/test_helpers/bank_accounts/:id/statement', {
      summary: 'Make the bank’s next statement of a bank account',
      description:
        'A file for `POST /v1/statement_files`, in the message of `booked_by`. It has the debits of payouts in sealed files. Once these are imported, it returns the money of payouts to test accounts that come back.',
      downloads: true,
      query: depositParams,
      errors: AMOUNT_ERRORS,
      response: XML('camt'),
      responseContentTypes: ['application/xml'],
      handle: async (call) => {
        const { environmentId } = call.caller;
        const { deposit: amount, text: words = null } = call.query;
        const account = pathId(call, 'ba');
        const deposit = amount === undefined ? null : { amount, text: words };
        const statement = await parts.nextStatement(environmentId, account, deposit);
        return xml(environmentId, `camt-${account}`, partsOf(statement));
      },
    }),
  ];
}

const XML = (what: string): Route['response'] => ({
  schema: { type: 'string', description: `${what} in UTF-8.` },
  example: '<?xml version="1.0"…',
});

const xml = (environmentId: string, name: string, parts: AsyncGenerator<string>): Promise<Answer> =>
  download(environmentId, {
    contentType: 'application/xml',
    headers: { 'Content-Disposition': `attachment; filename="${name}.xml"` },
    parts,
  });

/** Who asked for the payouts of a file or changed them, which takes no more of them once it is sealed. */
async function makersOf(service: Service, environmentId: string, { id, status }: PaymentFile) {
  if (status === 'claiming') return null;
  const rows = await service.rows(makersOfFile(environmentId, id));
  return rows.flatMap(({ created_by: creator, changed_by: changers }) => [
    ...(creator === null ? [] : [actorOf(creator as string) as string]),
    ...(JSON.parse((changers as string | null) ?? '[]') as string[]),
  ]);
}

async function* contentParts(
  service: Service,
  seals: Seals<PaymentFileContent>,
  environmentId: string,
  file: PaymentFile,
): AsyncGenerator<string> {
  const [row] = await service.rows(PAYMENT_FILE_CONTENTS.load([{ environmentId, id: idAs('bfc', file.id) }]));
  if (!row) throw withoutContent(file);
  const { content } = seals.open(PAYMENT_FILE_CONTENTS.read(row));
  yield* partsOf((await bytesOf(file, content)).toString());
}

const withoutContent = ({ id, status }: PaymentFile): RequestError =>
  new RequestError(
    'payment_file_state_invalid',
    `Payment file ${id} is ${status}; only a sealed one is sent to a bank.`,
    {
      current_status: status,
      allowed: ['sealed'],
    },
  );

async function* partsOf(text: string): AsyncGenerator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + PART_CHARACTERS;
    if (text.codePointAt(end - 1) !== text.charCodeAt(end - 1)) end += 1; // no character is cut in two
    yield text.slice(at, end);
  }
}
