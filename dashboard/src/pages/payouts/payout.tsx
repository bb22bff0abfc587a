import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Payout() {
  return (
    <Page title="Payout">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
