/** The decision that changes the settings of an environment. Pure. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { mergeMetadata, previousMetadata } from '../../core/metadata.ts';
import type { Metadata } from '../../core/objects.ts';
import type { Settings } from './fields.ts';
import type { Draft } from '../../core/draft.ts';
import { isoDay } from '../../core/values/time.ts';
import { type Given, previousOf, sameMembers, withGiven } from '../../core/update.ts';

/** What a change may set, in the order of the object, beside what is worked out below. */
const SHOWN = [
  'accentColor',
  'contactEmail',
  'contactPhone',
  'address',
  'legalUrl',
  'privacyUrl',
  'paymentReminderDays',
] as const;

export interface UpdateSettings extends Given<Settings, 'name' | 'logo' | (typeof SHOWN)[number]> {
  readonly type: 'update_settings';
  readonly metadata: Metadata | undefined;
  /** From the day that is on: its statement is the first. */
  readonly dailyStatements: boolean | undefined;
}

/** The settings of an environment that has set none. */
export const unset = (environmentId: string, atMs: number): Settings => ({
  object: 'settings',
  id: environmentId,
  name: null,
  logo: null,
  accentColor: null,
  contactEmail: null,
  contactPhone: null,
  address: null,
  legalUrl: null,
  privacyUrl: null,
  bankAccounts: {},
  paymentReminderDays: null,
  nextStatementDay: null,
  metadata: {},
  createdAt: atMs,
});

/** Refuses `metadata_invalid`. */
export function updateSettings(draft: Draft, command: UpdateSettings): Decision {
  const known = draft.find('settings', draft.state.environment.id);
  const before = known ?? unset(draft.state.environment.id, draft.atMs);
  const metadata = mergeMetadata(before.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const metadataBefore = previousMetadata(before.metadata, metadata);
  const after: Settings = {
    ...withGiven(before, command, ['name', 'logo', ...SHOWN]),
    address: isSame(before.address, command.address) ? before.address : (command.address ?? null),
    nextStatementDay: nextStatementDay(draft, before, command.dailyStatements),
    metadata,
  };
  const previous = {
    ...previousOf(before, after, ['name']),
    ...(after.logo !== before.logo && { has_logo: before.logo !== null }),
    ...previousOf(before, after, SHOWN),
    ...((after.nextStatementDay === null) !== (before.nextStatementDay === null) && {
      daily_statements: before.nextStatementDay !== null,
    }),
    ...(Object.keys(metadataBefore).length > 0 && { metadata: metadataBefore }),
  };
  if (Object.keys(previous).length === 0) return before;
  if (known) draft.update(after);
  else draft.create(after);
  draft.emit('settings.updated', after, previous);
  draft.audit('settings.updated', null, {
    changed: Object.keys(previous).map((name) => (name === 'has_logo' ? 'logo' : name)),
  });
  return after;
}

/** Whether a change leaves the address as it is: it says nothing about it, or the same once more. */
function isSame(before: Settings['address'], given: Settings['address'] | undefined): boolean {
  return given === undefined || sameMembers(before ?? {}, given ?? {});
}

function nextStatementDay(draft: Draft, before: Settings, wanted: boolean | undefined): string | null {
  if (wanted === undefined) return before.nextStatementDay;
  return wanted ? (before.nextStatementDay ?? isoDay(draft.atMs)) : null;
}
