import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Me() {
  return (
    <Page title="Your account">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
