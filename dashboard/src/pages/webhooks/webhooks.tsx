import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Webhooks() {
  return (
    <Page title="Webhooks">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
