/** Users on the wire. */
import { ROLES, ROLES_ABOUT } from '../../core/roles.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import { type JsonSchema, ref } from '../../platform/http/request/params.ts';
import { type MadeLink, USER, type User } from './fields.ts';

/** The answer, with the link as `links.ts` makes it of it: nothing of it leaves the service. */
export const renderWithLink = (
  { user, link: { id, kind, endsAt } }: { readonly user: User; readonly link: MadeLink },
  livemode: boolean,
): string => USER.render(user, livemode, `,"link":"${id}.${kind}.${endsAt}"`);

/** The roles in a sentence each, for descriptions. */
export const rolesInWords = ROLES.map((role) => `\`${role}\` ${ROLES_ABOUT[role]}`).join('; ');

const url = (about: string): JsonSchema => ({
  type: 'string',
  description: `${about} Hand it over yourself: no mail is sent. It opens once, and cannot be read again. A repeated request answers it again only while it is unused.`,
});

export const USER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  User: schemaOf(USER, 'A person who may sign in to the dashboard of this environment, and what it may do there.'),
  UserWithLink: {
    description: 'A user with a new link.',
    allOf: [
      ref('User'),
      {
        type: 'object',
        properties: {
          invitation_url: url('Where the person joins, within seven days.'),
          reset_url: url('Where the person sets a new password or passkey, within a day.'),
        },
      },
    ],
  },
};
