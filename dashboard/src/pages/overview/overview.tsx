/** The first page: what needs somebody, then what there is, then how it moved. What is zero is not there. */
import type { Payout } from '../../../../client/src/generated/types.ts';
import { type Bursar, get, pageAt } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { type Ahead, useList, useRead } from '../../api/reads.ts';
import type { Summary } from '../../api/shapes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Go } from '../../ui/go.tsx';
import { List } from '../../ui/list-page.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { payoutColumns, payoutHref } from '../../ui/payout-columns.tsx';
import { attentionOf } from './attention.ts';
import { Attention } from './attention-list.tsx';
import { Balances } from './balances.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Movements } from './movements.tsx';
import { Standing } from './standing.tsx';

const NEWEST = 8;

const SUMMARY = [['summary'], (client: Bursar) => get<Summary>(client, '/v1/summary')] as const;
const NEWEST_ROWS = [
  ['payouts', 'newest'],
  (client: Bursar) => pageAt<Payout>(client, '/v1/payouts', { limit: NEWEST }),
] as const;

Overview.ahead = (ask: Ahead) =>
  Promise.all([ask.read(...SUMMARY), ask.may('payouts:read') ? ask.list(...NEWEST_ROWS) : undefined]);

export function Overview() {
  const may = useMay();
  const canSeePayouts = may('payouts:read');
  const summary = useRead(...SUMMARY);
  const newest = useList(...NEWEST_ROWS, { isOff: !canSeePayouts });
  const isNew = canSeePayouts && !newest.isLoading && newest.error === null && newest.rows.length === 0;
  const { data } = summary;
  return (
    <Page title="Overview">
      {data !== undefined && <Attention items={attentionOf(data)} />}
      {summary.isPending && <Loading lines={3} />}
      {summary.error !== null && data === undefined && (
        <Failed error={summary.error} again={() => void summary.refetch()} what="the figures" />
      )}
      {data !== undefined && <Balances summary={data} />}
      {isNew && <FirstSteps />}
      {data !== undefined && !isNew && (
        <div className="columns">
          <Movements summary={data} />
          <Standing summary={data} />
        </div>
      )}
      {canSeePayouts && !isNew && (
        <Card flush title="Newest payouts" aside={<Go to="/payouts">All payouts</Go>}>
          <List
            words={['payout', 'payouts']}
            label="Newest payouts"
            list={{ ...newest, hasMore: false }}
            lines={NEWEST}
            columns={payoutColumns}
            hrefOf={payoutHref}
            empty={null}
            counts={false}
          />
        </Card>
      )}
    </Page>
  );
}
