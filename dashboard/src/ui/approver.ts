/** Whoever is here, as approvals see them: as far as the answers say that they may read. */
import { get } from '../api/client.ts';
import { useActor, useMay } from '../api/me.ts';
import { useRead } from '../api/reads.ts';
import type { User } from '../api/shapes.ts';
import type { Approver } from './unfit.ts';

/** `isAsked`: there is something to approve, so that it matters whether a third person has confirmed them. */
export function useApprover(isAsked = true): Approver {
  const may = useMay();
  const actor = useActor();
  const mayApprove = may('payout_approvals:write');
  const own = useRead(['users', actor], (client) => get<User>(client, `/v1/users/${actor}`), {
    isOff: actor === undefined || !isAsked || !mayApprove || !may('users:read'),
  });
  return { id: actor ?? '', mayApprove, isConfirmed: own.data?.confirmed_by !== null };
}
