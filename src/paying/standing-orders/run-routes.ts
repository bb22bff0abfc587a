/** The operations of runs: what came of the planned days of standing orders. What makes them: `runs.ts`. */
import { PAYROLL_CATEGORIES } from '../../core/rails/purposes.ts';
import { seesPayroll } from '../../core/scopes.ts';
import { idOf, NAMES, uuidOf } from '../../core/values/ids.ts';
import { type Condition, inOrder, page } from '../../platform/db/wire/page.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { listParams } from '../../platform/http/lists.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { id, pathId } from '../../platform/http/request/params.ts';
import { answers, answersList, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { listPage, one, type Service } from '../../platform/http/service.ts';
import { STANDING_ORDER_RUN } from './fields.ts';
import { STANDING_ORDER_RUNS } from './sql.ts';

const route = routesOf('Standing orders', 'standing_orders');
const EXAMPLE = exampleOf(STANDING_ORDER_RUN);

const ORDER = 'FROM standing_orders o WHERE o.environment_id = t.environment_id AND o.id = t.standing_order_id';
const TABLE = 'standing_order_runs';

/** A run with the category of its order, which says whether its words are about a salary. */
const COLUMNS = `${STANDING_ORDER_RUNS.columns('t')}, (SELECT o.category_purpose ${ORDER}) AS category_of_order`;

export function standingOrderRunRoutes(service: Service): Route[] {
  const render = ({ scopes, livemode }: Caller) => {
    const isSeen = seesPayroll(scopes);
    return (row: Row) => {
      const run = STANDING_ORDER_RUNS.read(row);
      const isHidden = !isSeen && PAYROLL_CATEGORIES.includes(row['category_of_order'] as never);
      return STANDING_ORDER_RUN.render(isHidden ? { ...run, message: null } : run, livemode);
    };
  };
  return [
    route('listStandingOrderRuns', 'GET /v1/standing_order_runs', {
      summary: 'List runs of standing orders',
      description: 'The result of each planned day, newest first.',
      query: listParams('sor', { standing_order: id('so', { description: 'Only runs of this order.' }) }),
      response: answersList('StandingOrderRun', EXAMPLE),
      handle: (call) => {
        const { environmentId } = call.caller;
        const { standing_order: orders } = call.query;
        const restricted = ofAccounts(call.caller);
        const wanted = orders === undefined ? undefined : [orders].flat().map(uuidOf);
        const conditions = [...restricted, ...inOrder('t.standing_order_id', 'uuid', wanted)];
        const cursors = { table: TABLE, conditions: restricted };
        const source = { from: `${TABLE} AS t`, columns: COLUMNS, environmentId, conditions, cursors };
        const idOfRow = (row: Row) => idOf('sor', row['id'] as string);
        const hasOwnPlan = conditions.length > 1;
        return listPage(service, call, { ...source, hasOwnPlan }, render(call.caller), idOfRow);
      },
    }),
    route('retrieveStandingOrderRun', 'GET /v1/standing_order_runs/:id', {
      summary: 'Retrieve a run of a standing order',
      response: answers('StandingOrderRun', EXAMPLE),
      handle: (call) => {
        const { environmentId } = call.caller;
        const id = pathId(call, 'sor');
        const conditions = [...ofAccounts(call.caller), { sql: 't.id = $', value: uuidOf(id) }];
        const source = { from: `${TABLE} AS t`, columns: COLUMNS, environmentId, conditions };
        return one(service, page(source, { limit: 1, order: 'desc' }), NAMES.sor, id, render(call.caller));
      },
    }),
  ];
}

/** For a key that is restricted to accounts: runs of orders that debit them. */
function ofAccounts({ accounts }: Caller): Condition[] {
  if (accounts === null) return [];
  return [{ sql: `EXISTS (SELECT ${ORDER} AND o.account_id = ANY ($::uuid[]))`, value: Array.from(accounts, uuidOf) }];
}
