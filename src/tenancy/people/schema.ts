/** Users on the wire: what a request may say, and what answers do. Whether somebody may give so much is decided (`decide.ts`). */
import { ROLES, ROLES_ABOUT } from '../../core/roles.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import * as param from '../../platform/http/request/params.ts';
import { type MadeLink, USER, type User } from './fields.ts';

/** The answer, with the link as `links.ts` makes it of it: nothing of it leaves the service. */
export const renderWithLink = (
  { user, link: { id, kind, endsAt } }: { readonly user: User; readonly link: MadeLink },
  livemode: boolean,
): string => USER.render(user, livemode, `,"link":"${id}.${kind}.${endsAt}"`);

/** The roles in a sentence each, for descriptions. */
export const rolesInWords = ROLES.map((role) => `\`${role}\` ${ROLES_ABOUT[role]}`).join('; ');

const url = (about: string): param.JsonSchema => ({
  type: 'string',
  description: `${about} Hand it over yourself: no mail is sent. It opens once, and cannot be read again. A repeated request answers it again only while it is unused.`,
});

export const USER_SCHEMAS: Readonly<Record<string, param.JsonSchema>> = {
  User: schemaOf(USER, 'A person who may sign in to the dashboard of this environment, and what it may do there.'),
  UserWithLink: {
    description: 'A user with a new link.',
    allOf: [
      param.ref('User'),
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

const name = param.unsettable(
  param.text({ max: 100, description: 'How you call the person. Left out: as the person does.', example: 'Ada Byron' }),
);
const roles = param.list(param.oneOf(ROLES, { description: 'A role.' }), {
  max: ROLES.length,
  description: `What the person may do; roles add up. ${rolesInWords}.`,
});

export const createUserParams = param.params({
  email: param.email({ description: 'Where the invitation goes. You hand it over; no mail is sent.' }),
  roles,
  ...param.optional({ name }),
});

export const updateUserParams = param.changesParams({ name, roles });
