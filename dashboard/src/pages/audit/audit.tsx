import { Empty } from '../../ui/conditions.tsx';
import { Page } from '../../ui/page.tsx';

export function AuditLog() {
  return (
    <Page title="Audit log">
      <Empty>This page is being built.</Empty>
    </Page>
  );
}
