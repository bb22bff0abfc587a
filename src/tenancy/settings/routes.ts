/** The operations of an environment's settings. */
import { answers, type Route, routesOf } from '../../platform/http/route.ts';
import { camelCased } from '../../platform/http/request/params.ts';
import type { Service } from '../../platform/http/service.ts';
import type { SettingsCommand } from './slice.ts';
import { unset } from './decide.ts';
import { updateSettingsParams } from './parameters.ts';
import { renderSettings, SETTINGS_EXAMPLE } from './schema.ts';
import { SETTINGS_ROWS } from './sql.ts';

const route = routesOf('Settings', 'settings');

export function settingsRoutes(service: Service<SettingsCommand>): Route[] {
  return [
    route('retrieveSettings', 'GET /v1/settings', {
      summary: 'Retrieve the settings',
      response: answers('Settings', SETTINGS_EXAMPLE),
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
        'Name, logo, colour, contact, address and links of the payment page, reminders, daily statements, and metadata. Parameters that you leave out stay. Payers send money to your `/v1/bank_accounts`.',
      body: updateSettingsParams,
      request: { name: 'Example GmbH', accent_color: '#0a7c53' },
      response: answers('Settings', SETTINGS_EXAMPLE),
      errors: ['logo_invalid', 'metadata_invalid'],
      handle: (call) => {
        const given = camelCased(call.body);
        const nullIfEmpty = (given: string | undefined) => (given === '' ? null : given);
        return service.write(call, {
          type: 'update_settings',
          ...given,
          name: nullIfEmpty(given.name),
          logo: nullIfEmpty(given.logo),
          accentColor: nullIfEmpty(given.accentColor?.toLowerCase()),
          contactEmail: nullIfEmpty(given.contactEmail),
          contactPhone: nullIfEmpty(given.contactPhone),
          legalUrl: nullIfEmpty(given.legalUrl),
          privacyUrl: nullIfEmpty(given.privacyUrl),
          paymentReminderDays: given.paymentReminderDays === 0 ? null : given.paymentReminderDays,
        });
      },
    }),
  ];
}
