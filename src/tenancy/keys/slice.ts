/** Keys, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import { HIDDEN, nothing, slice } from '../../core/slice.ts';
import * as decide from './decide.ts';
import { renderKey, renderNewKey } from './schema.ts';
import { API_KEYS } from './sql.ts';

export const keys = slice({
  decisions: {
    create_key: decide.createKey,
    roll_key: decide.rollKey,
    update_key: decide.updateKey,
    revoke_key: decide.revokeKey,
    confirm_key: decide.confirmKey,
    note_refused_key: decide.noteRefusedKey,
  },
  needs: {
    create_key: (need, { accounts }) => {
      need.all('keysOf');
      need.keys('accounts', ...(accounts ?? []));
    },
    roll_key: (need, { key }) => {
      need.all('keysOf');
      need.keys('apiKeys', key);
    },
    update_key: (need, { key }) => need.keys('apiKeys', key),
    revoke_key: (need, { key }) => need.keys('apiKeys', key),
    confirm_key: (need, { key }) => {
      need.all('familiesOf');
      need.keys('apiKeys', key);
    },
    note_refused_key: nothing,
  },
  audited: ['create_key', 'roll_key', 'update_key', 'revoke_key', 'confirm_key', 'note_refused_key'],
  tables: { key: API_KEYS },
  // A decision writes no key but one that works, or that it ends: so no clock tells more than the key itself.
  objects: { noted: HIDDEN, key: { render: (key, livemode) => renderKey(key, livemode, 0) } },
  replies: {
    api_key_with_secret: ({ key, sealedSecret }, livemode) => renderNewKey(key, livemode, sealedSecret),
  },
});
export type KeyCommand = CommandOf<typeof keys.decisions>;
