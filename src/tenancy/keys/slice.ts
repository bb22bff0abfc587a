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
    revoke_key: (need, { key }) => need.keys('apiKeys', key),
    confirm_key: (need, { key }) => {
      need.all('familiesOf');
      need.keys('apiKeys', key);
    },
    note_refused_key: nothing,
  },
  audited: ['create_key', 'roll_key', 'revoke_key', 'confirm_key', 'note_refused_key'],
  tables: { api_key: API_KEYS },
  objects: { noted: HIDDEN },
  replies: {
    api_key: (key, livemode, { realMs }) => renderKey(key, livemode, realMs),
    api_key_with_secret: ({ key, sealedSecret }, livemode) => renderNewKey(key, livemode, sealedSecret),
  },
});
export type KeyCommand = CommandOf<typeof keys.decisions>;
