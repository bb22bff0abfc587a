import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Recipient() {
  return (
    <Page title="Recipient">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
