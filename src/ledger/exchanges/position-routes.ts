/** The operations about what exchanges leave open: settings and positions. Decisions: `settings-decide.ts`; limit: `exposure.ts`. */
import { RequestError } from '../../core/values/errors.ts';
import { fxFromJson } from '../../core/fx.ts';
import { AMOUNT_ERRORS, answers, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import { jsonOfEnvironment, type Service } from '../../platform/http/service.ts';
import type { ExchangeCommand } from './slice.ts';
import * as wire from './position-schema.ts';
import type { RateSource } from './rate-source.ts';

const route = routesOf('Exchanges', 'exchanges');
const settings = routesOf('Exchanges', 'settings');

const SETTINGS = {
  object: 'fx_settings',
  livemode: false,
  base_currency: 'EUR',
  fx_position_limit: 100_000,
  fx_position_limit_minor: 10_000_000,
  markups: { EUR_USD: 40 },
};
const POSITIONS = {
  object: 'fx_positions',
  livemode: false,
  base_currency: 'EUR',
  rate_time: 1_732_183_980,
  positions: [
    {
      currency: 'EUR',
      amount: 100,
      amount_minor: 10_000,
      rate: '1',
      value: 100,
      value_minor: 10_000,
      book_value: 100,
      book_value_minor: 10_000,
    },
    {
      currency: 'USD',
      amount: -115.51,
      amount_minor: -11_551,
      rate: '0.8635578583',
      value: -99.74,
      value_minor: -9_974,
      book_value: -100,
      book_value_minor: -10_000,
    },
  ],
  open_position: 99.75,
  open_position_minor: 9_975,
  fx_position_limit: 100_000,
  fx_position_limit_minor: 10_000_000,
  realised: 0,
  realised_minor: 0,
  unrealised: 0.26,
  unrealised_minor: 26,
};

export function positionRoutes(service: Service<ExchangeCommand>, rates: RateSource): Route[] {
  const fxIn = async ({ caller }: Call<unknown, unknown>) => fxFromJson(await jsonOfEnvironment(service, caller, 'fx'));
  const ratesNow = ({ caller }: Call<unknown, unknown>) => {
    const found = rates.table(caller.livemode, Date.now());
    return 'unavailable' in found ? null : found;
  };
  return [
    settings('retrieveFxSettings', 'GET /v1/fx/settings', {
      summary: 'Retrieve the settings of exchanges',
      response: answers('FxSettings', SETTINGS),
      handle: async (call) => ({ status: 200, body: wire.renderFxSettings(await fxIn(call), call.caller.livemode) }),
    }),
    settings('updateFxSettings', 'POST /v1/fx/settings', {
      summary: 'Change the settings of exchanges',
      description:
        'The limit of the open position, its currency, and markups of pairs. Parameters that you leave out stay. Existing quotes keep their price.',
      body: wire.updateFxSettingsParams,
      request: { fx_position_limit: 100_000, markups: { EUR_USD: 40 } },
      response: answers('FxSettings', SETTINGS),
      errors: [
        'parameter_missing',
        ...AMOUNT_ERRORS,
        'currency_unsupported',
        'currency_pair_invalid',
        'fx_markup_count',
        'rate_unavailable',
      ],
      handle: (call) => {
        const { base_currency: base, fx_position_limit: limit, markups } = call.body;
        return service.write(call, {
          type: 'update_fx_settings',
          base: base?.code,
          positionLimit: limit === '' ? null : limit,
          markups,
          rates: ratesNow(call)?.table ?? null,
        });
      },
    }),
    route('retrieveFxPositions', 'GET /v1/fx/positions', {
      summary: 'Retrieve the open positions',
      description:
        'The amounts that exchanges have left open in each currency, less the amounts that exchanges at your bank closed (entries assigned to `fx`). They are valued at present mid-market rates, and kept in the commit of every movement of `house:fx`.',
      response: answers('FxPositions', POSITIONS),
      errors: ['account_not_allowed'],
      handle: async (call) => {
        if (call.caller.accounts !== null) {
          const message = 'This key is restricted to accounts, and the open positions are those of all accounts.';
          throw new RequestError('account_not_allowed', message);
        }
        const found = ratesNow(call);
        const fx = await fxIn(call);
        const body = wire.renderPositions(fx, found?.table ?? null, found?.at ?? null, call.caller.livemode);
        return { status: 200, body };
      },
    }),
  ];
}
