import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Payouts() {
  return (
    <Page title="Payouts">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
