/** Settings on the wire. The logo is not answered, only whether there is one. */
import type { Settings } from './fields.ts';
import { nullableText, strictObject } from '../core/json-schema.ts';
import type { JsonSchema } from '../http/request/params.ts';

export function renderSettings(settings: Settings, livemode: boolean): string {
  const { name, logo, accentColor, bankAccounts } = settings;
  return `{"id":"${settings.id}","object":"settings","livemode":${livemode},"name":${JSON.stringify(name)},"has_logo":${logo !== null},"accent_color":${JSON.stringify(accentColor)},"bank_accounts":${JSON.stringify(bankAccounts)}}`;
}

export const SETTINGS_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Settings: strictObject('What an environment says about itself to payers, and where they send money.', {
    id: { type: 'string', description: 'That of the environment.' },
    object: { const: 'settings' },
    livemode: { type: 'boolean' },
    name: nullableText('Name shown to payers; null: that of the merchant.'),
    has_logo: { type: 'boolean', description: 'Whether payers see a logo.' },
    accent_color: nullableText('Colour of buttons, as #rrggbb.'),
    bank_accounts: {
      type: 'object',
      description:
        'Currency to the account that payers send money to. Without one, a sandbox shows an invented account.',
      additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
    },
  }),
};
