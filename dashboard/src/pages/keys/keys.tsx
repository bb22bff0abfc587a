import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function Keys() {
  return (
    <Page title="Keys">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
