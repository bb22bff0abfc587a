import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Webhook() {
  return (
    <Page title="Webhook">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
