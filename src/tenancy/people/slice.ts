/** Users, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { slice } from '../../core/slice.ts';
import * as decide from './decide.ts';
import { USER } from './fields.ts';
import { renderWithLink } from './schema.ts';
import { USERS } from './sql.ts';

/** All of the environment: administrators are counted, and addresses compared. */
const all = (need: ReadSet): void => need.all('usersOf');

export const people = slice({
  decisions: {
    create_user: decide.createUser,
    join_user: decide.joinUser,
    update_user: decide.updateUser,
    suspend_user: decide.suspendUser,
    resume_user: decide.resumeUser,
    confirm_user: decide.confirmUser,
    end_user_sessions: decide.endUserSessions,
    link_user: decide.linkUser,
    redact_user: decide.redactUser,
  },
  needs: {
    create_user: all,
    join_user: all,
    update_user: all,
    suspend_user: all,
    resume_user: (need, { user }) => need.keys('users', user),
    confirm_user: (need, { user }) => {
      need.all('familiesOf');
      need.keys('users', user);
    },
    end_user_sessions: (need, { user }) => need.keys('users', user),
    link_user: (need, { user }) => need.keys('users', user),
    redact_user: all,
  },
  audited: [
    'create_user',
    'join_user',
    'update_user',
    'suspend_user',
    'resume_user',
    'confirm_user',
    'end_user_sessions',
    'link_user',
    'redact_user',
  ],
  tables: { user: USERS },
  objects: { user: USER },
  replies: { user_with_link: renderWithLink },
});
export type UserCommand = CommandOf<typeof people.decisions>;
