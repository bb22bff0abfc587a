import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Requests() {
  return (
    <Page title="Requests">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
