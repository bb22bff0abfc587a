/** The parameters of requests about users. Whether somebody may give so much is decided (`decide.ts`). Answers: `schema.ts`. */
import { ROLES } from '../../core/roles.ts';
import * as param from '../../platform/http/request/params.ts';
import { rolesInWords } from './schema.ts';

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
