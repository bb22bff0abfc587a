import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Accounts() {
  return (
    <Page title="Accounts">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
