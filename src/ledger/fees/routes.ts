/** The operations of fees. Decisions: `decide.ts`. */
import { type FeeRule, feeRulesFromJson } from '../../core/fee-rules.ts';
import { renderList } from '../../platform/http/lists.ts';
import { pathId } from '../../platform/http/request/params.ts';
import { answers, answersList, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import { missing, type Service } from '../../platform/http/service.ts';
import type { FeeCommand } from './slice.ts';
import * as wire from './schema.ts';
import { feesOf } from './sql.ts';

const route = routesOf('Fees', 'fees');

const FEE = {
  id: 'fee_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'fee',
  created: 1_732_184_000,
  livemode: false,
  on: 'payment',
  currency: 'EUR',
  scheme: null,
  buy_currency: null,
  method: null,
  payment_link: null,
  amount: 0.25,
  amount_minor: 25,
  basis_points: 140,
};

export function feeRoutes(service: Service<FeeCommand>): Route[] {
  const rulesIn = async ({ caller }: Call<unknown, unknown>): Promise<readonly FeeRule[]> => {
    const [row] = await service.rows(feesOf(caller.environmentId));
    return feeRulesFromJson((row?.['fees'] as string | null | undefined) ?? null);
  };
  return [
    route('createFee', 'POST /v1/fees', {
      summary: 'Charge a fee',
      description:
        'It counts from now on. Existing payouts, exchanges and payments, and the promises of quotes, stay as they are. A fee is a transfer from the account to `house:fees`, in the same commit as the payout, exchange or payment, which lists it in `fees`. A fee cannot be changed: delete it and make another.',
      body: wire.createFeeParams,
      request: { on: 'payment', currency: 'EUR', amount: 0.25, basis_points: 140 },
      response: answers('Fee', FEE),
      errors: [
        'fee_exists',
        'fee_count',
        'resource_missing',
        'parameter_missing',
        'parameter_conflict',
        'amount_invalid',
        'amount_too_small',
        'amount_too_large',
      ],
      handle: (call) => service.write(call, wire.feeFrom(call.body)),
    }),
    route('listFees', 'GET /v1/fees', {
      summary: 'List fees',
      description: 'All fees; there are at most 100.',
      response: answersList('Fee', FEE),
      handle: async (call) => {
        const rules = await rulesIn(call);
        return renderList(
          rules.map((rule) => wire.renderFee(rule, call.caller.livemode)),
          false,
          call,
        );
      },
    }),
    route('retrieveFee', 'GET /v1/fees/:id', {
      summary: 'Retrieve a fee',
      response: answers('Fee', FEE),
      handle: async (call) => {
        const id = pathId(call, 'fee');
        const rule = (await rulesIn(call)).find((each) => each.id === id);
        if (rule === undefined) throw missing('fee', id);
        return { status: 200, body: wire.renderFee(rule, call.caller.livemode) };
      },
    }),
    route('deleteFee', 'DELETE /v1/fees/:id', {
      summary: 'Stop charging a fee',
      response: answers('DeletedFee', { id: FEE.id, object: 'fee', deleted: true }),
      handle: (call) => service.write(call, { type: 'delete_fee', fee: pathId(call, 'fee') }),
    }),
  ];
}
