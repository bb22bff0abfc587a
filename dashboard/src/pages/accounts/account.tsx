import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Account() {
  return (
    <Page title="Account">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
