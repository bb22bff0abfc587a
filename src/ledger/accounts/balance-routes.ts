/** Balances now or at an instant: of one account (`routes.ts` sends it here) and of all together. */
import { ACCOUNT, type Account } from '../../core/account.ts';
import { environmentNow } from '../../platform/http/clock.ts';
import { type Span, span } from '../../platform/http/request/instants.ts';
import { currency, optionalParams, paramError, pathId } from '../../platform/http/request/params.ts';
import { type Answer, answers, type Call, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { missing, type Service } from '../../platform/http/service.ts';
import { renderBalances } from './balance-schema.ts';
import { ACCOUNTS, balances, type Wanted } from './sql.ts';

const route = routesOf('Accounts', 'accounts');

const MOST_ACCOUNTS = 10_000;

export const atParam = span({
  description:
    'The balance at this instant: Unix seconds, an ISO instant, or a day, which means its end (UTC). Seconds are included. It may not be in the future; today means now. The sandbox’s own clock counts.',
});

const query = optionalParams({ at: atParam, currency: currency({ description: 'Only of this currency.' }) });

export function balanceRoutes(service: Service): Route[] {
  return [
    route('retrieveBalances', 'GET /v1/balances', {
      summary: 'Retrieve all balances',
      description: `By currency and by account, now or at an instant, in one consistent view. Accounts that did not exist at that instant are left out. At most ${MOST_ACCOUNTS.toLocaleString('en')} accounts: if you have more, ask by \`currency\`, or list accounts.`,
      query,
      response: answers('Balances', {
        object: 'balances',
        at: 1_732_184_000,
        livemode: false,
        currencies: [{ currency: 'EUR', balance: 100_000 }],
        accounts: [
          { account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa', name: 'Operations', currency: 'EUR', balance: 100_000 },
        ],
      }),
      handle: async ({ caller, query: { at, currency: wanted } }) => {
        const { endMs, lastMs } = await instantOf(service, caller, at);
        const only = caller.accounts && [...caller.accounts];
        const found = await accountsAt(service, caller, { endMs, currency: wanted?.code ?? null, only });
        return { status: 200, body: renderBalances(found, lastMs, caller.livemode) };
      },
    }),
  ];
}

/** The account that the path names, with its balance of that instant. `resource_missing` also where it did not exist yet. */
export async function accountAt(service: Service, call: Call<unknown, unknown>, at: Span): Promise<Answer> {
  const { caller } = call;
  const id = pathId(call, 'acct');
  if (caller.accounts?.has(id) === false) throw missing('account', id);
  const { endMs } = await instantOf(service, caller, at);
  const [account] = await accountsAt(service, caller, { endMs, currency: null, only: [id] });
  if (!account) throw missing('account', id);
  return { status: 200, body: ACCOUNT.render(account, caller.livemode) };
}

/** `endMs`: the first millisecond that does not count; `null` is now. `lastMs`: what the answer says. */
async function instantOf(service: Service, { environmentId }: Caller, at: Span | undefined) {
  const nowMs = await environmentNow(service, environmentId);
  if (at === undefined) return { endMs: null, lastMs: nowMs };
  if (at.startMs <= nowMs) return { endMs: at.endMs, lastMs: Math.min(at.endMs - 1, Math.max(nowMs, at.startMs)) };
  const now = `now is ${Math.floor(nowMs / 1000)} (${new Date(nowMs).toISOString()})`;
  throw paramError('parameter_invalid', 'at', `at must not be in the future; ${now} by the clock of this environment.`);
}

async function accountsAt(
  service: Service,
  { environmentId }: Caller,
  order: Omit<Wanted, 'most'>,
): Promise<Account[]> {
  const rows = await service.rows(balances(environmentId, { ...order, most: MOST_ACCOUNTS }));
  if (rows.length > MOST_ACCOUNTS) {
    const message = `There are more than ${MOST_ACCOUNTS} accounts. Name a currency, or list accounts.`;
    throw paramError('parameter_invalid', 'currency', message);
  }
  return rows.map((row) => ({ ...ACCOUNTS.read(row), balance: row['balance_then'] as bigint }));
}
