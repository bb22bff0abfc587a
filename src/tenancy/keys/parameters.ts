/** The parameters of requests about keys. Whether a key may give so much is decided (`decide.ts`). Answers: `schema.ts`. */
import { hint } from '../../platform/http/request/hints.ts';
import { given, param as custom, paramError } from '../../platform/http/request/param.ts';
import * as param from '../../platform/http/request/params.ts';
import { SCOPES } from '../../platform/http/route.ts';
import { versionParam } from '../../platform/http/version/versions.ts';
import { networkFrom } from './networks.ts';

const DAY_S = 86_400;
const MAX_ACCOUNTS = 50;
const MAX_NETWORKS = 50;
/** `metrics:read` is about the whole service, which no merchant's key can give. */
const GIVEN_SCOPES = SCOPES.filter((scope) => scope !== 'metrics:read');
const network: param.Param<string> = custom(
  { description: 'An address or a network.', example: '192.0.2.0/24' },
  { type: 'string', minLength: 3, maxLength: 49 },
  (value, path) => {
    if (typeof value === 'string' && networkFrom(value)) return value;
    const message = `${path} must be an address or a network such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32, got ${given(value)}.${hint(value)}`;
    throw paramError('parameter_invalid', path, message);
  },
);

const name = param.text({ max: 100, description: 'Its purpose, in your words.', example: 'payroll' });
const version = versionParam('The version of the API that counts where a request names none; by default the newest.');

export const createKeyParams = param.params({
  name,
  ...param.optional({
    scopes: param.list(
      param.oneOf(GIVEN_SCOPES, {
        description:
          'A resource and `read` or `write`; `write` includes `read`. `payroll:read` shows whom salaries, bonuses and pensions pay.',
      }),
      { max: GIVEN_SCOPES.length, description: 'What it may do; by default what your key may do.' },
    ),
    accounts: param.list(param.id('acct', { description: 'An account.' }), {
      max: MAX_ACCOUNTS,
      description:
        'The accounts that it may see and use; by default those of your key. Such a key needs `scopes`, of accounts, transfers, payouts, recipients and payroll only.',
    }),
    allowed_ips: param.list(network, {
      max: MAX_NETWORKS,
      description: 'Addresses and networks from which it may be used; by default those of your key.',
    }),
    expires_at: param.integer({
      min: 0,
      max: 253_402_300_799,
      description: 'When it stops working, in Unix seconds of real time; by default when your key does.',
    }),
    version,
  }),
});

export const updateKeyParams = param.changesParams({ name, version });

export const rollKeyParams = param.params({
  expires_in: param.withDefault(
    param.integer({
      min: 0,
      max: 7 * DAY_S,
      description: 'For so many seconds, up to seven days, the old key works too. 0 ends it at once.',
    }),
    0,
  ),
});
