/** What came of the days behind a standing order, newest first: the payout and how it ended, or why there is none. */
import { Button } from '@mantine/core';
import type { Payout, StandingOrder, StandingOrderRun } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { sentenceOf } from '../../api/errors.ts';
import { useList, useRead } from '../../api/reads.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Go } from '../../ui/go.tsx';
import { Id } from '../../ui/id.tsx';
import { Card } from '../../ui/page.tsx';
import { payoutState } from '../../ui/payout-words.ts';
import { State } from '../../ui/state.tsx';
import { Day } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { runWords } from './words.ts';

const PAGE = 25;

export function Runs({ order: { id, status } }: { readonly order: Pick<StandingOrder, 'id' | 'status'> }) {
  const runs = useList<StandingOrderRun>(['standing_order', id, 'runs'], (client) =>
    pageAt(client, '/v1/standing_order_runs', { standing_order: id, limit: PAGE }),
  );
  // Of runs older than the newest hundred payouts only the id is said.
  const payouts = useRead(['payouts', { standing_order: id }], (client) =>
    pageAt<Payout>(client, '/v1/payouts', { standing_order: id, limit: 100 }),
  );
  const content = () => {
    if (runs.error !== null) return <Failed error={runs.error} again={runs.again} what="runs" />;
    if (runs.isLoading) return <Loading lines={3} />;
    if (runs.rows.length === 0)
      return <p className="muted">{status === 'active' ? 'No day has come yet.' : 'No day came.'}</p>;
    return (
      <>
        <Timeline
          entries={runs.rows.map((run) => {
            const { mark, text } = runWords(run);
            const payout = payouts.data?.data.find((each) => each.id === run.payout);
            return {
              key: run.id,
              at: run.created,
              mark,
              text: (
                <>
                  <Day on={run.planned_on} /> · {text}
                </>
              ),
              ...(run.payout !== null && {
                about: (
                  <>
                    <Id id={run.payout} /> {payout !== undefined && <State {...payoutState(payout)} />}
                  </>
                ),
              }),
            };
          })}
        />
        {runs.moreError !== null && (
          <p className="trouble" role="alert">
            {sentenceOf(runs.moreError)}
          </p>
        )}
        {runs.hasMore && (
          <Button variant="default" loading={runs.isLoadingMore} onClick={runs.more}>
            Earlier days
          </Button>
        )}
      </>
    );
  };
  return (
    <Card
      title="What became of it"
      aside={
        payouts.data !== undefined &&
        payouts.data.data.length > 0 && <Go to={`/payouts?standing_order=${id}`}>Its payouts</Go>
      }
    >
      {content()}
    </Card>
  );
}
