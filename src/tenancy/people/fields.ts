/**
 * Users, field by field: persons as one environment knows them. The person behind a user is in a table of its own, for all environments;
 * of it a user shows address, name and second factor (`sql.ts`).
 */
import * as field from '../../core/fields.ts';
import { type Role, ROLES } from '../../core/roles.ts';

/** Of the person, once somebody has joined; not stored with the user. */
export interface OfPerson {
  readonly personEmail: string | null;
  readonly personName: string | null;
  readonly secondFactor: 'passkey' | 'totp' | null;
}
export const NOBODY: OfPerson = { personEmail: null, personName: null, secondFactor: null };

interface Named extends OfPerson {
  readonly invitedEmail: string;
  readonly givenName: string | null;
}
interface Standing {
  readonly person: string | null;
  readonly suspendedAt: number | null;
}

/** Once somebody has joined, the address of the person counts. */
export const emailOf = ({ personEmail, invitedEmail }: Named): string => personEmail ?? invitedEmail;
export const nameOf = ({ givenName, personName }: Named): string | null => givenName ?? personName;

export const USER_STATUSES = ['invited', 'active', 'suspended'] as const;
export function statusOf({ person, suspendedAt }: Standing): (typeof USER_STATUSES)[number] {
  if (suspendedAt !== null) return 'suspended';
  return person === null ? 'invited' : 'active';
}

export const USER = field.objectType('user', 'usr', {
  shownEmail: field.derived(
    'email',
    { type: 'string', description: 'The address of the person; until somebody has joined, that of the invitation.' },
    (user: Named) => JSON.stringify(emailOf(user)),
    'ada@example.com',
  ),
  shownName: field.derived(
    'name',
    { type: ['string', 'null'], description: 'As you call the person, else as the person does.' },
    (user: Named) => JSON.stringify(nameOf(user)),
    'Ada Byron',
  ),
  roles: field.words<Role>(ROLES, {
    description: 'What it may do: named sets of scopes, which add up.',
    example: ['operator'],
    mutable: true,
  }),
  status: field.derived(
    'status',
    {
      type: 'string',
      enum: USER_STATUSES,
      description: '`invited`: nobody has joined yet. `suspended`: it opens nothing until it is resumed.',
    },
    (user: Standing) => `"${statusOf(user)}"`,
    'active',
  ),
  shownFactor: field.derived(
    'second_factor',
    { type: 'string', enum: ['none', 'passkey', 'totp'], description: 'What the person shows beside a password.' },
    ({ secondFactor }: OfPerson) => `"${secondFactor ?? 'none'}"`,
    'passkey',
  ),
  lastSeenAt: field.instantOrNull({ description: 'Its last request, to the minute, in real time.' }),
  confirmedBy: field.actor({
    description:
      'Who confirmed that it may approve. Whom somebody let in approves nothing until a third person confirms it; whom the command line let in needs nobody.',
    mutable: true,
  }),
  createdBy: field.actor(),
  invitedEmail: field.text({ column: 'email', hidden: true, mutable: true }),
  givenName: field.textOrNull({ column: 'name', hidden: true, mutable: true }),
  person: field.idOrNull('usr', { column: 'person_id', hidden: true, mutable: true }),
  suspendedAt: field.instantOrNull({ hidden: true, mutable: true }),
  /** Whoever could sign in as it, or gave it the right to approve. */
  letInBy: field.texts({ hidden: true, mutable: true }),
});
export type User = field.ObjectOf<typeof USER> & OfPerson;

/** A link that was made with an answer; `person`: whom a reset is about. */
export interface MadeLink {
  readonly id: string;
  readonly kind: 'invite' | 'reset';
  /** Milliseconds, real time. */
  readonly endsAt: number;
}

declare module '../../core/objects.ts' {
  interface Stored {
    readonly user: User;
  }
  interface Unannounced {
    readonly user: User;
  }
}

declare module '../../core/decision.ts' {
  interface Replies {
    /** What an invitation and a new link answer. The route makes the link as the answer leaves. */
    readonly user_with_link: {
      readonly object: 'user_with_link';
      readonly id: string;
      readonly user: User;
      readonly link: MadeLink;
    };
  }
}
