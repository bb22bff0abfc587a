/** Who has signed the month, when, and what: the newest signature, and for who may read the audit log each one before it. */
import type { AuditEntry, Reconciliation } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { Copy } from '../../ui/id.tsx';
import { Card } from '../../ui/page.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { Who } from '../../ui/who.tsx';

export function Signatures({ report }: { readonly report: Reconciliation }) {
  const { bank_account: subject, month, sha256, signature } = report;
  const may = useMay();
  const log = useRead(
    ['audit_log', 'reconciled', subject],
    (client) =>
      pageAt<AuditEntry>(client, '/v1/audit_log', { action: ['bank_account.reconciled'], subject, limit: 100 }),
    { isOff: signature === null || !may('audit_log:read') },
  );
  if (signature === null) return null;
  const newest = {
    id: signature.audit_entry,
    created: signature.signed_at,
    actor: signature.signed_by,
    details: { sha256: signature.sha256 } as AuditEntry['details'],
  };
  const before = (log.data?.data ?? []).filter(({ id, details }) => id !== newest.id && details['month'] === month);
  return (
    <Card title="Signed">
      <Timeline
        entries={[newest, ...before].toReversed().map(({ id, created, actor, details }) => {
          const signed = String(details['sha256']);
          const isNow = signed === sha256;
          return {
            key: id,
            at: created,
            mark: isNow ? ('done' as const) : ('bad' as const),
            text: (
              <>
                <Who actor={actor} /> signed {isNow ? 'the report as it is now' : 'a report that was another one'}
              </>
            ),
            about: (
              <>
                <span className="mono" title={signed}>
                  {signed.slice(0, 12)}…
                </span>{' '}
                <Copy text={signed} what="the SHA-256 that was signed" />
              </>
            ),
          };
        })}
      />
    </Card>
  );
}
