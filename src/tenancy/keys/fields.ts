/** API keys, field by field. The key itself is never stored; its hash is looked up. */
import * as field from '../../core/fields.ts';
import { exampleId } from '../../core/values/ids.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { API_VERSION, API_VERSION_PATTERN } from '../../core/values/version.ts';

/** Not stored: it follows from the keys of the line (`sql.ts`). */
export interface LineUse {
  /** `null`: never, and in keys that were loaded for their families only (`loadFamilyKeys`). */
  readonly lineLastUsedAt: number | null;
}

export const API_KEY = field.objectType('key', 'key', {
  name: field.text({ description: 'Its purpose, in your words.', example: 'payroll', mutable: true }),
  /** `sk_test_` and the like. */
  prefix: field.code({
    description: '`sk_`: may do everything. `rk_`: restricted to its scopes.',
    example: 'rk_live_',
  }),
  last4: field.code({ description: 'The last four characters of the key, to recognise it.', example: 'x7Qa' }),
  scopes: field.textsOrNull({ description: '`null`: everything in its environment.' }),
  accounts: field.textsOrNull({ description: 'The accounts that it may see and use; `null`: all.' }),
  allowedIps: field.textsOrNull({
    description: 'Addresses and networks from which it may be used; `null`: from everywhere.',
  }),
  version: field.day({
    schema: {
      type: 'string',
      pattern: API_VERSION_PATTERN,
      description: 'The version of the API that counts where a request names none.',
    },
    example: API_VERSION,
    mutable: true,
  }),
  expiresAt: field.instantOrNull({ description: 'When it stops working, in real time.', mutable: true }),
  revokedAt: field.instantOrNull({ description: 'When it was revoked, in real time.', mutable: true }),
  lastUsedAt: field.instantOrNull({ description: 'The last use of this very key, to the minute.' }),
  shownLineUse: field.derived(
    'line_last_used_at',
    {
      type: ['integer', 'null'],
      description:
        'The last use of any key of its line, to the minute: of this key, what it was rolled from and rolled to.',
    },
    ({ lineLastUsedAt: at }: LineUse) => String(at && unixSeconds(at)),
    null,
  ),
  /** Kept when the key is rolled. */
  line: field.derived(
    'line',
    {
      type: 'string',
      description:
        'The id of the first key of its line: of what was rolled to this one. Limits, `created_by` and records go by it.',
    },
    ({ lineage }: { readonly lineage: readonly string[] }) => JSON.stringify(lineage.at(-1)),
    exampleId('key'),
  ),
  createdBy: field.actor(),
  confirmedBy: field.idOrNull('key', {
    column: 'confirmed_by',
    description:
      'Who confirmed that it may approve. A key that another key made approves nothing until a second person confirms it; a key of the command line needs nobody.',
    mutable: true,
  }),
  rolledTo: field.idOrNull('key', {
    column: 'rolled_to',
    description: 'The key that took its place.',
    mutable: true,
  }),
  /** The lines that it descends from, the root first and its own last: each the id of its first key. */
  lineage: field.texts({ hidden: true }),
  /** HMAC-SHA-256 under the server secret. */
  hash: field.hiddenBytes(),
  /** Names that server secret; `null`: made before this was kept. */
  secretId: field.textOrNull({ hidden: true }),
});
export type ApiKey = field.ObjectOf<typeof API_KEY> & LineUse;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly key: ApiKey;
  }
}

declare module '../../core/decision.ts' {
  interface Replies {
    /** What `create` and `roll` answer. The secret is still sealed; the route opens it as the answer leaves. */
    readonly api_key_with_secret: {
      readonly object: 'api_key_with_secret';
      readonly id: string;
      readonly key: ApiKey;
      readonly sealedSecret: string;
    };
  }
}
