import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Overview() {
  return (
    <Page title="Overview">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
