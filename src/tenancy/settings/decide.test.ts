/** The decision about settings, given / when / then. */
import { describe, expect, it } from 'vitest';
import { UNSET_ALL } from '../../core/metadata.ts';
import type { Settings } from './fields.ts';
import { given } from '../../../test/support/harness/given.ts';
import { AT, BEFORE, environment } from '../../../test/support/harness/literals.ts';
import { type UpdateSettings, unset } from './decide.ts';

const ID = environment().id;
const set = (fields: Partial<UpdateSettings> = {}): UpdateSettings => ({
  type: 'update_settings',
  name: undefined,
  logo: undefined,
  accentColor: undefined,
  contactEmail: undefined,
  contactPhone: undefined,
  address: undefined,
  legalUrl: undefined,
  privacyUrl: undefined,
  paymentReminderDays: undefined,
  dailyStatements: undefined,
  metadata: undefined,
  ...fields,
});
const settings = (fields: Partial<Settings> = {}): Settings => ({ ...unset(ID, BEFORE), ...fields });

describe('update_settings', () => {
  it('makes them the first time', () => {
    const outcome = given().when(set({ name: 'Rossum', accentColor: '#0a7d55' }));
    outcome.thenAccepts({
      reply: { id: ID, name: 'Rossum', logo: null, accentColor: '#0a7d55', createdAt: AT },
      transfers: [],
      events: ['settings.updated'],
    });
    expect(outcome.events[0]?.previous).toEqual({ name: null, accent_color: null });
    expect([...outcome.state.created.keys()]).toEqual([ID]);
  });

  it('changes what is given and leaves the rest, age included', () => {
    const known = settings({ name: 'Rossum', logo: 'iVBORw0KGgo=', accentColor: '#000000' });
    const outcome = given(known).when(set({ name: 'Universal' }));
    outcome.thenAccepts({ reply: { ...known, name: 'Universal' }, events: ['settings.updated'] });
    expect(outcome.events[0]?.previous).toEqual({ name: 'Rossum' });
    expect(outcome.state.created.size).toBe(0);
    expect([...outcome.state.updated.keys()]).toEqual([ID]);
  });

  it('unsets with null, and has no picture in the event', () => {
    const known = settings({ name: 'Rossum', logo: 'iVBORw0KGgo=', accentColor: '#000000' });
    const outcome = given(known).when(set({ name: null, logo: null, accentColor: null }));
    outcome.thenAccepts({ reply: { name: null, logo: null, accentColor: null } });
    expect(outcome.events[0]?.previous).toEqual({ name: 'Rossum', has_logo: true, accent_color: '#000000' });
    const first = given(settings()).when(set({ logo: 'iVBORw0KGgo=' }));
    expect(first.events[0]?.previous).toEqual({ has_logo: false });
  });

  it('keeps what is left of accounts from before bank accounts held all', () => {
    const known = settings({ bankAccounts: { EUR: { account_holder: 'Rossum', iban: 'DE89370400440532013000' } } });
    given(known)
      .when(set({ name: 'Universal' }))
      .thenAccepts({ reply: { ...known, name: 'Universal' } });
  });

  it('keeps metadata key by key, and says what it was', () => {
    const first = given().when(set({ metadata: { a: '1', b: '2' } }));
    first.thenAccepts({ reply: { metadata: { a: '1', b: '2' } }, events: ['settings.updated'] });
    const second = first.when(set({ metadata: { a: '', c: '3' } }));
    second.thenAccepts({ reply: { metadata: { b: '2', c: '3' } } });
    expect(second.events.at(-1)?.previous).toEqual({ metadata: { a: '1', c: null } });
    second.when(set({ metadata: UNSET_ALL })).thenAccepts({ reply: { metadata: {} } });
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']));
    second.when(set({ metadata: many })).thenRefuses('metadata_invalid');
  });

  it('says nothing when nothing changes', () => {
    const known = settings({ name: 'Rossum' });
    given(known)
      .when(set({ name: 'Rossum', logo: null }))
      .thenAccepts({ reply: known, events: [] });
    const outcome = given().when(set());
    outcome.thenAccepts({ reply: unset(ID, AT), events: [] });
    expect(outcome.state.created.size + outcome.state.updated.size).toBe(0);
  });
});
