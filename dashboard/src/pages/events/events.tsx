import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Events() {
  return (
    <Page title="Events">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
