/** The operation that tells what happened to a payout. What of it a key may not see is left out; texts: `story.ts`. */
import { covers, shownTo } from '../../core/scopes.ts';
import type { RenderEvent } from '../../events/log/schema.ts';
import { PAYOUT } from '../../paying/payouts/fields.ts';
import { PAYOUTS } from '../../paying/payouts/sql.ts';
import { pathId } from '../../platform/http/request/params.ts';
import { answers, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { missing, type Service } from '../../platform/http/service.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { PastEvent, ShownPayout } from './fields.ts';
import { HISTORY_EXAMPLE, renderHistory } from './schema.ts';
import {
  deliveryOf,
  entriesOfPayout,
  entryFrom,
  eventsOfPayout,
  fileFrom,
  fileOfPayout,
  payoutWithNames,
  undeliveredOf,
} from './sql.ts';
import { actorsIn } from './story.ts';

/** The names of these actors, as far as they have any (`server/expansions.ts`). */
export type ActorNames = (environmentId: string, actors: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function historyRoutes(service: Service, renderEvent: RenderEvent, namesOf: ActorNames): Route[] {
  const rowsIf = (isSeen: boolean, statement: Statement): Promise<readonly Row[]> =>
    isSeen ? service.rows(statement) : Promise.resolve([]);
  return [
    routesOf('Payouts', 'payouts')('retrievePayoutHistory', 'GET /v1/payouts/:id/history', {
      summary: 'Retrieve the history of a payout',
      description:
        'Who asked for it, what held it, who approved it, in which file it left, what the bank said, and where its money is: in sentences, the oldest first. Events are kept for 90 days; of an older payout the history is shorter. What a restricted key may not read is left out: the payment file, bank entries, failed deliveries, and the name of the account.',
      mayNeed: [
        'payment_files:read',
        'bank_entries:read',
        'bank_accounts:read',
        'webhook_endpoints:read',
        'accounts:read',
      ],
      response: answers('PayoutHistory', HISTORY_EXAMPLE),
      handle: async ({ caller, path_params: pathParams }) => {
        const { environmentId, livemode, scopes, accounts } = caller;
        const id = pathId({ path_params: pathParams }, 'po');
        const may = sightOf(caller);
        const [[row], eventRows, [fileRow], undelivered] = await Promise.all([
          service.rows(payoutWithNames(environmentId, id, accounts && [...accounts])),
          service.rows(eventsOfPayout(environmentId, id)),
          rowsIf(may.seeFile, fileOfPayout(environmentId, id)),
          rowsIf(may.seeDeliveries, undeliveredOf(environmentId, id)),
        ]);
        if (row === undefined) throw missing('payout', id);
        const payout = JSON.parse(shownTo(scopes, PAYOUT.render(PAYOUTS.read(row), livemode))) as ShownPayout;
        const events = eventRows
          .map((each) => JSON.parse(shownTo(scopes, renderEvent(each, livemode))) as PastEvent)
          .filter(({ type }) => type.startsWith('payout.'));
        const file = fileRow === undefined ? null : fileFrom(fileRow);
        const [names, entries] = await Promise.all([
          namesOf(environmentId, actorsIn({ payout, events })),
          file === null || !may.seeEntries
            ? []
            : service.rows(
                entriesOfPayout(environmentId, file.bankAccount, {
                  payout: id,
                  amountMinor: payout.amount_minor,
                  fromS: payout.created,
                  untilS: payout.ended_at,
                }),
              ),
        ]);
        const body = renderHistory({
          payout,
          events,
          accountName: may.seeAccount ? (row['account_name'] as string | null) : null,
          batchName: row['batch_name'] as string | null,
          bankName: may.seeBank ? ((fileRow?.['bank_name'] as string | undefined) ?? null) : null,
          file,
          entries: entries.map(entryFrom),
          deliveries: undelivered.map(deliveryOf),
          names,
        });
        return { status: 200, body };
      },
    }),
  ];
}

/** What of other resources a caller may know; banks are about the money of all accounts. */
function sightOf({ scopes, accounts }: Caller) {
  const reads = (resource: string) => scopes === null || covers(scopes, `${resource}:read`);
  const isWhole = accounts === null;
  return {
    seeAccount: reads('accounts'),
    seeFile: isWhole && reads('payment_files'),
    seeEntries: isWhole && reads('bank_entries'),
    seeBank: isWhole && reads('bank_accounts'),
    seeDeliveries: reads('webhook_endpoints'),
  };
}
