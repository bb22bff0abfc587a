/** The operations of recipients. Handlers parse, write or read, and render; decisions are in `decide.ts`. */
import type { Code } from '../../core/values/errors.ts';
import { listParams, renderWhole, wholeListParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import {
  type Answer,
  always,
  answers,
  answersList,
  type Call,
  PAYING_ACCOUNT_ERRORS,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { missing, readsOf, type Service } from '../../platform/http/service.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import type { BankDetails } from './bank-details.ts';
import type { RecipientCommand } from './slice.ts';
import * as parameters from './parameters.ts';
import { RECIPIENT } from './fields.ts';
import { renderRequirements, renderValidation, renderVersion } from './schema.ts';
import type { RedactRecipient } from './redact.ts';
import type { RecipientSeals } from './sealing.ts';
import { idOf } from '../../core/values/ids.ts';
import { bankAccountFaults, judgeFrom, payableAt } from './payable.ts';
import { recipientBatchRoutes } from './batch-routes.ts';
import { matchRoutes } from './match-routes.ts';
import { judgesIn, MAX_VERSIONS, newestVersions, ofFingerprints, oldestOf, ofWord, RECIPIENTS } from './sql.ts';

const route = routesOf('Recipients', 'recipients');

const ADA = { name: 'Ada Lovelace', type: 'individual', currency: 'EUR', country: 'DE' };
const EXAMPLE = exampleOf(RECIPIENT, { bank_details: { iban: '******************3000' } });
const REQUEST = { ...ADA, bank_details: { iban: 'DE89370400440532013000' } };
const WRONG_IBAN = { ...ADA, iban: 'DE89370400440532013001' };
const VERSION = {
  object: 'recipient_version',
  version: 1,
  created: 1_732_184_000,
  name: 'Ada Lovelace',
  latin_name: null,
  bank_details: { iban: '******************3000' },
  address: null,
};
const DELETED = { id: EXAMPLE.id, object: 'recipient', deleted: true };

/** The faults of bank details. */
const BANK_ERRORS: readonly Code[] = [
  'iban_invalid',
  'bic_invalid',
  'routing_number_invalid',
  'sort_code_invalid',
  'account_number_invalid',
];
const PLACE_ERRORS: readonly Code[] = ['country_unsupported', 'currency_unsupported'];

export interface RecipientParts {
  readonly seals: RecipientSeals;
  readonly retentionYears: number;
  /** Sends the command down the write path with the rights of the tables' owner. */
  redact(call: Call<unknown, unknown>, command: RedactRecipient): Promise<Answer>;
}

export function recipientRoutes(service: Service<RecipientCommand>, parts: RecipientParts): Route[] {
  const { idIn, list, retrieve } = readsOf(service, RECIPIENT, RECIPIENTS, {
    open: (stored) => parts.seals.recipient.open(stored),
  });
  /** The oldest active recipient with the account, as it is now: a hint, so it is not asked under the lock. */
  const duplicateIn = async (environmentId: string, details: Readonly<Record<string, string>>) => {
    const [row] = await service.rows(oldestOf(environmentId, parts.seals.fingerprintsOf(environmentId, details)));
    return row ? idOf('rcp', row['id'] as string) : null;
  };
  const rowOf = async (environmentId: string) => (await service.rows(judgesIn(environmentId)))[0];
  return [
    route('createRecipient', 'POST /v1/recipients', {
      summary: 'Create a recipient',
      description:
        'The required bank details depend on country and currency: see `GET /v1/recipients/requirements`. Send them as `bank_details`, or as parameters of their own. They are checked, and answers mask them. A request takes the shape of an answer, with the whole account number and without the members that the service sets (`id`, `object`, `created`, `livemode`, `status`, `duplicate_of`).',
      body: parameters.createRecipientParams,
      request: REQUEST,
      response: answers('Recipient', EXAMPLE),
      errors: [...PLACE_ERRORS, ...BANK_ERRORS, ...PAYING_ACCOUNT_ERRORS],
      handle: async (call) => {
        const details = parameters.bankDetailsIn(call.body) ?? {};
        const duplicateOf = await duplicateIn(call.caller.environmentId, details);
        return service.write(call, parameters.createCommand(call.body, duplicateOf));
      },
    }),
    route('listRecipients', 'GET /v1/recipients', {
      summary: 'List recipients',
      description: 'Deleted recipients are left out; `status=archived` lists them.',
      isRepeatable: always,
      query: listParams('rcp', parameters.filters),
      response: answersList('Recipient', EXAMPLE),
      errors: PLACE_ERRORS,
      handle: list,
    }),
    route('searchRecipients', 'POST /v1/recipients/search', {
      summary: 'Find recipients by account or name',
      description:
        'Recipients with the account, or with words in the name that begin so, newest first, also those of one person in several currencies. A POST, so that no account number and no name stands in an address or a log; nothing is written. To find the one that a payment means, by name and account: `POST /v1/recipients/match`.',
      looksOnly: true,
      body: parameters.searchParams,
      request: { iban: 'DE89370400440532013000' },
      response: answersList('Recipient', EXAMPLE),
      errors: ['iban_invalid', 'parameter_missing'],
      handle: async (call) => {
        const { iban, name = [], ...query } = call.body;
        const { fingerprintsOf } = parts.seals;
        const { status, body } = await list({ ...call, query: { ...query, order: 'desc' } }, {}, [
          ...(iban === undefined ? [] : [ofFingerprints(fingerprintsOf(call.caller.environmentId, { iban }))]),
          ...name.map(ofWord),
        ]);
        return { status, body };
      },
    }),
    route('retrieveRecipientRequirements', 'GET /v1/recipients/requirements', {
      summary: 'Which bank details a recipient needs',
      description:
        'The fields of the preferred way to name an account, and the other accepted ways. Each has the speeds that your bank account offers.',
      query: parameters.requirementsParams,
      response: answers(
        'RecipientRequirements',
        JSON.parse(renderRequirements('MX', 'MXN', { bank: undefined, isStrict: false })),
      ),
      errors: PLACE_ERRORS,
      handle: async (call) => {
        const { country: at, currency: wanted } = call.query;
        const { environmentId, livemode } = call.caller;
        const judge = judgeFrom(await rowOf(environmentId), livemode, { currency: wanted.code, bankAccount: null });
        return { status: 200, body: renderRequirements(at, wanted.code, judge) };
      },
    }),
    route('validateRecipient', 'POST /v1/recipients/validate', {
      summary: 'Check a recipient without creating it',
      description:
        'Takes the parameters of a create and answers all faults at once. Nothing is written. `speeds` says for each speed whether a payout to the recipient could be made now; the answer is the one that the payout would get. An unknown parameter is a 400 here too.',
      body: parameters.validateRecipientParams,
      bodyOf: 'createRecipient',
      request: WRONG_IBAN,
      response: answers('RecipientValidation', {
        object: 'recipient_validation',
        valid: false,
        duplicate_of: null,
        errors: [
          {
            param: 'iban',
            code: 'iban_invalid',
            message: 'IBAN ******************3001 fails its check digits: a character is mistyped or two are swapped.',
          },
        ],
        speeds: [],
        address_sent: null,
      }),
      handle: async (call) => {
        const { faults, bankDetails, payee } = call.body;
        const duplicateOf = bankDetails && (await duplicateIn(call.caller.environmentId, bankDetails));
        if (payee === null) return { status: 200, body: renderValidation(faults, duplicateOf, null) };
        const row = await rowOf(call.caller.environmentId);
        const misnamed = bankAccountFaults(row, payee);
        const payable = misnamed.length > 0 ? null : payableAt(judgeFrom(row, call.caller.livemode, payee), payee);
        return { status: 200, body: renderValidation([...faults, ...misnamed], duplicateOf, payable) };
      },
    }),
    ...matchRoutes(service, parts),
    ...recipientBatchRoutes(service, [...PLACE_ERRORS, ...BANK_ERRORS]),
    route('retrieveRecipient', 'GET /v1/recipients/:id', {
      summary: 'Retrieve a recipient',
      description: 'A deleted recipient is still found, as `archived`.',
      isRepeatable: always,
      response: answers('Recipient', EXAMPLE),
      handle: retrieve,
    }),
    route('listRecipientVersions', 'GET /v1/recipients/:id/versions', {
      summary: 'List the versions of a recipient',
      description: `Each change of name, bank details or address makes a version. Newest first, at most ${MAX_VERSIONS}. There are no pages.`,
      isRepeatable: always,
      query: wholeListParams,
      response: answersList('RecipientVersion', VERSION),
      handle: async (call) => {
        const id = idIn(call);
        const rows = await service.rows(newestVersions(call.caller.environmentId, id));
        if (rows.length === 0) throw missing('recipient', id);
        return renderWhole(
          rows.map((row) => renderVersion(versionIn(row, (stored) => parts.seals.detailsOf(stored, id)))),
          call,
        );
      },
    }),
    route('updateRecipient', 'POST /v1/recipients/:id', {
      summary: 'Update a recipient',
      description:
        'Bank details are replaced as a whole: send all of them. Country, currency and type cannot change. Payouts made before keep the details they were made with.',
      body: parameters.updateRecipientParams,
      request: { email: 'ada@example.com' },
      response: answers('Recipient', { ...EXAMPLE, email: 'ada@example.com' }),
      errors: [
        'recipient_archived',
        'recipient_redacted',
        'recipient_not_allowed',
        'parameter_missing',
        ...BANK_ERRORS,
        ...PAYING_ACCOUNT_ERRORS,
      ],
      handle: (call) => {
        const { name, email, metadata, bank_details: nested, address, latin_name: latinName } = call.body;
        const { category_purpose: categoryPurpose, purpose, bank_account: bankAccount } = call.body;
        return service.write(call, {
          type: 'update_recipient',
          recipient: idIn(call),
          name,
          email: email === '' ? null : email,
          bankDetails: parameters.bankDetailsIn(call.body),
          areDetailsNested: nested !== undefined,
          metadata,
          address,
          latinName,
          categoryPurpose,
          purpose,
          bankAccount,
        });
      },
    }),
    route('deleteRecipient', 'DELETE /v1/recipients/:id', {
      summary: 'Delete a recipient',
      description:
        'Archives it: no new payout can use it, existing ones go on, and it stays readable. Deleting twice answers the same.',
      response: answers('DeletedRecipient', DELETED),
      errors: ['recipient_not_allowed'],
      handle: (call) => service.write(call, { type: 'archive_recipient', recipient: idIn(call) }),
    }),
    route('redactRecipient', 'POST /v1/recipients/:id/redact', {
      summary: 'Erase the person behind a recipient',
      description:
        'Erases name, e-mail, metadata and bank details from the recipient, its earlier states, stored events and recorded answers. The last four characters of the account stay, and so do the texts of payouts. Standing orders to the recipient are canceled. It is refused while payouts are on their way, and as long as records of paid payouts have to be kept.',
      response: answers('Recipient', { ...EXAMPLE, name: 'Redacted', status: 'redacted' }),
      errors: ['recipient_has_open_payouts', 'retention_required', 'recipient_not_allowed'],
      handle: (call) => {
        const { retentionYears } = parts;
        return parts.redact(call, { type: 'redact_recipient', recipient: idIn(call), retentionYears });
      },
    }),
  ];
}

const versionIn = (row: Row, open: (stored: string) => BankDetails): Parameters<typeof renderVersion>[0] => ({
  version: row['version'] as number,
  createdAt: row['created_at'] as number,
  name: row['name'] as string,
  latinName: row['latin_name'] as string | null,
  details: open(row['bank_details'] as string),
  address: row['address'] === null ? null : (JSON.parse(row['address'] as string) as object),
});
