import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function People() {
  return (
    <Page title="People">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
