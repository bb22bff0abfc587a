/** The operations about what exchanges leave open: settings and positions. Decisions: `settings-decide.ts`; limit: `exposure.ts`. */
import { type Fx, fxFromJson } from '../../core/fx.ts';
import { AMOUNT_ERRORS, answers, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import { assertUnrestricted, jsonOfEnvironment, type Service } from '../../platform/http/service.ts';
import type { ExchangeCommand } from './slice.ts';
import * as wire from './position-schema.ts';
import { type RateSource, sandboxRates } from './rate-source.ts';

const route = routesOf('Exchanges', 'exchanges');
const settings = routesOf('Exchanges', 'settings');

/** After 100 EUR were sold for 115.51 USD. */
const EXAMPLE: Fx = {
  base: 'EUR',
  positionLimit: 10_000_000n,
  markups: { EUR_USD: 40 },
  positions: { EUR: { amount: 10_000n, book: 0n }, USD: { amount: -11_551n, book: -10_000n } },
};
const SETTINGS: unknown = JSON.parse(wire.renderExchangeSettings(EXAMPLE, false));
const POSITIONS: unknown = JSON.parse(wire.renderPositions(EXAMPLE, sandboxRates(0), 1_732_183_980_000, false));

export function positionRoutes(service: Service<ExchangeCommand>, rates: RateSource): Route[] {
  const fxIn = async ({ caller }: Call<unknown, unknown>) => fxFromJson(await jsonOfEnvironment(service, caller, 'fx'));
  const ratesNow = ({ caller }: Call<unknown, unknown>) => {
    const found = rates.table(caller.livemode, Date.now());
    return 'unavailable' in found ? null : found;
  };
  return [
    settings('retrieveExchangeSettings', 'GET /v1/settings/exchanges', {
      summary: 'Retrieve the settings of exchanges',
      response: answers('ExchangeSettings', SETTINGS),
      handle: async (call) => ({
        status: 200,
        body: wire.renderExchangeSettings(await fxIn(call), call.caller.livemode),
      }),
    }),
    settings('updateExchangeSettings', 'POST /v1/settings/exchanges', {
      needsStepUp: true,
      summary: 'Change the settings of exchanges',
      description:
        'The limit of the open position, its currency, and markups of pairs. Parameters that you leave out stay. Existing quotes keep their price.',
      body: wire.updateExchangeSettingsParams,
      request: { position_limit: 100_000, markups: { EUR_USD: 40 } },
      response: answers('ExchangeSettings', SETTINGS),
      errors: [
        'parameter_missing',
        ...AMOUNT_ERRORS,
        'currency_unsupported',
        'currency_pair_invalid',
        'fx_markup_count',
        'rate_unavailable',
      ],
      handle: (call) => {
        const { base_currency: base, position_limit: limit, markups } = call.body;
        return service.write(call, {
          type: 'update_exchange_settings',
          base: base?.code,
          positionLimit: limit === '' ? null : limit,
          markups,
          rates: ratesNow(call)?.table ?? null,
        });
      },
    }),
    route('retrieveExchangePositions', 'GET /v1/exchange_positions', {
      summary: 'Retrieve the open positions',
      description:
        'The amounts that exchanges have left open in each currency, less the amounts that exchanges at your bank closed (entries assigned to `fx`). They are valued at present mid-market rates, and kept in the commit of every movement of `house:fx`.',
      response: answers('ExchangePositions', POSITIONS),
      errors: ['account_not_allowed'],
      handle: async (call) => {
        assertUnrestricted(call.caller, 'the open positions are those of all accounts');
        const found = ratesNow(call);
        const fx = await fxIn(call);
        const body = wire.renderPositions(fx, found?.table ?? null, found?.at ?? null, call.caller.livemode);
        return { status: 200, body };
      },
    }),
  ];
}
