/** The decision that notes in the audit log how people sign in, and with what. Pure. Failed tries are bounded before it: `factors.ts`. */
import type { AuditAction, AuditDetails } from '../../core/audit.ts';
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';

export const SIGN_IN_ACTIONS = [
  'user.signed_in',
  'user.signed_out',
  'user.sign_in_failed',
  'user.stepped_up',
  'user.sessions_closed',
  'user.person_changed',
  'user.password_changed',
  'user.passkey_added',
  'user.passkey_removed',
  'user.app_added',
  'user.recovery_code_used',
  'user.credentials_cleared',
] as const satisfies readonly AuditAction[];
export type SignInAction = (typeof SIGN_IN_ACTIONS)[number];

export interface NoteSignIn {
  readonly type: 'note_sign_in';
  readonly action: SignInAction;
  /** As whom the environment knows the person. */
  readonly user: string;
  readonly details: AuditDetails;
}

/** Never refuses. */
export function noteSignIn(draft: Draft, { action, user, details }: NoteSignIn): Decision {
  draft.audit(action, user, details);
  return { object: 'noted', id: user };
}
