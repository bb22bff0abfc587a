import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Recipients() {
  return (
    <Page title="Recipients">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
