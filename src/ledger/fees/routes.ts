/** The operations of fees. Decisions: `decide.ts`. */
import { feeRulesFromJson } from '../../core/fee-rules.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { wholeListParams } from '../../platform/http/lists.ts';
import { pathId } from '../../platform/http/request/params.ts';
import { AMOUNT_ERRORS, answers, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import { jsonOfEnvironment, readsOfFew, type Service } from '../../platform/http/service.ts';
import type { FeeCommand } from './slice.ts';
import * as wire from './schema.ts';

const route = routesOf('Fee rules', 'fee_rules');

const FEE = exampleOf(wire.FEE);

export function feeRoutes(service: Service<FeeCommand>): Route[] {
  const { list, retrieve } = readsOfFew(
    service,
    'fee',
    async (caller) => feeRulesFromJson(await jsonOfEnvironment(service, caller, 'fees')),
    wire.renderFee,
  );
  return [
    route('createFeeRule', 'POST /v1/fee_rules', {
      summary: 'Charge a fee',
      description:
        'It counts from now on. Existing payouts, exchanges and payments, and the promises of quotes, stay as they are. A fee is a transfer from the account to `house:fees`, in the same commit as the payout, exchange or payment, which lists it in `fees`. A fee cannot be changed: delete it and make another.',
      body: wire.createFeeParams,
      request: { on: 'payment', currency: 'EUR', amount: 0.25, basis_points: 140 },
      response: answers('FeeRule', FEE),
      errors: [
        'fee_exists',
        'fee_count',
        'resource_missing',
        'parameter_missing',
        'parameter_conflict',
        ...AMOUNT_ERRORS,
      ],
      handle: (call) => service.write(call, wire.feeFrom(call.body)),
    }),
    route('listFeeRules', 'GET /v1/fee_rules', {
      summary: 'List fees',
      description: 'All fees; there are at most 100.',
      query: wholeListParams,
      response: answersList('FeeRule', FEE),
      handle: list,
    }),
    route('retrieveFeeRule', 'GET /v1/fee_rules/:id', {
      summary: 'Retrieve a fee',
      response: answers('FeeRule', FEE),
      handle: retrieve,
    }),
    route('deleteFeeRule', 'DELETE /v1/fee_rules/:id', {
      summary: 'Stop charging a fee',
      response: answers('DeletedFeeRule', { id: FEE.id, object: 'fee_rule', deleted: true }),
      handle: (call) => service.write(call, { type: 'delete_fee', fee: pathId(call, 'fee') }),
    }),
  ];
}
