/** The operations of an environment's settings. */
import { exampleOf } from '../../platform/http/object-schema.ts';
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import { camelCased } from '../../platform/http/request/params.ts';
import type { Service } from '../../platform/http/service.ts';
import type { SettingsCommand } from './slice.ts';
import { SETTINGS } from './fields.ts';
import { unset } from './decide.ts';
import { updateSettingsParams } from './parameters.ts';
import { renderSettings } from './schema.ts';
import { SETTINGS_ROWS } from './sql.ts';

const route = routesOf('Settings', 'settings');
const approval = routesOf('Settings', 'bank_account_approvals');

const BANK_ACCOUNTS = { EUR: { account_holder: 'Example GmbH', iban: 'DE89370400440532013000' } };
const EXAMPLE = exampleOf(SETTINGS, { name: 'Example GmbH', accent_color: '#0a7c53', bank_accounts: BANK_ACCOUNTS });

export function settingsRoutes(service: Service<SettingsCommand>): Route[] {
  return [
    route('retrieveSettings', 'GET /v1/settings', {
      summary: 'Retrieve the settings',
      response: answers('Settings', EXAMPLE),
      handle: async (call) => {
        const { environmentId, livemode } = call.caller;
        const [row] = await service.rows(SETTINGS_ROWS.load([{ environmentId, id: environmentId }]));
        const settings = row ? SETTINGS_ROWS.read(row) : unset(environmentId, 0);
        return { status: 200, body: renderSettings(settings, livemode) };
      },
    }),
    route('updateSettings', 'POST /v1/settings', {
      summary: 'Update the settings',
      description:
        'Name, logo and colour of the payment page, the bank accounts that payers send money to, by currency, reminders, daily statements, and metadata. Parameters that you leave out stay. With `hold_bank_accounts` in `/v1/payout_rules`, bank accounts wait for a second person.',
      body: updateSettingsParams,
      request: { name: 'Example GmbH', accent_color: '#0a7c53', bank_accounts: BANK_ACCOUNTS },
      response: answers('Settings', EXAMPLE),
      errors: [
        'logo_invalid',
        'currency_unsupported',
        'iban_invalid',
        'bic_invalid',
        'metadata_invalid',
        'bank_account_conflict',
      ],
      handle: (call) => {
        const given = camelCased(call.body);
        const nullIfEmpty = (given: string | undefined) => (given === '' ? null : given);
        return service.write(call, {
          type: 'update_settings',
          ...given,
          name: nullIfEmpty(given.name),
          logo: nullIfEmpty(given.logo),
          accentColor: nullIfEmpty(given.accentColor?.toLowerCase()),
          paymentReminderDays: given.paymentReminderDays === 0 ? null : given.paymentReminderDays,
        });
      },
    }),
    approval('approveBankAccounts', 'POST /v1/settings/bank_accounts/approve', {
      summary: 'Approve a change of the bank accounts that payers see',
      description: 'The approving key is of another family than the one that asked for the change.',
      response: answers('Settings', EXAMPLE),
      errors: ['bank_accounts_not_held', 'approval_by_creator', 'approval_repeated', 'approval_key_unconfirmed'],
      handle: (call) => service.write(call, { type: 'approve_bank_accounts' }),
    }),
    approval('rejectBankAccounts', 'POST /v1/settings/bank_accounts/reject', {
      summary: 'Reject a change of the bank accounts that payers see',
      response: answers('Settings', EXAMPLE),
      errors: ['bank_accounts_not_held'],
      handle: (call) => service.write(call, { type: 'reject_bank_accounts' }),
    }),
  ];
}
