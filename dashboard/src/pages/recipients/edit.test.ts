/** What is sent of a change to a recipient: bank details as a whole or not at all, and nothing that nobody changed. */
import { describe, expect, it } from 'vitest';
import type { RecipientRequirements } from '../../../../client/src/bursar.ts';
import { type Editing, editingOf, editOf } from './edit.ts';
import { NO_ADDRESS, wayOf } from './payee.ts';

const ALL = {
  scheme: 'iban',
  errors: [],
  fields: [
    { field: 'iban', label: 'IBAN', required: true, regex: '^[A-Z]{2}\\d{2}$', example: 'DE12', description: '' },
    { field: 'bic', label: 'BIC', required: false, regex: '^[A-Z]{8}$', example: 'ABCDEFGH', description: '' },
  ],
  alternatives: [],
  holder: [],
} as unknown as RecipientRequirements;
const REQUIRED = { all: ALL, way: wayOf(ALL, '') };

const HOME = { line1: 'Main St 1', line2: 'Back', postal_code: null, city: 'Berlin', state: 'BE', country: 'DE' };
const BEFORE = { name: 'Ada  Lovelace ', email: 'ada@example.com', latin_name: null, address: HOME };
const edit = (change: Partial<Editing>, before: Parameters<typeof editingOf>[0] = BEFORE) =>
  editOf({ ...editingOf(before), ...change }, before, REQUIRED);

describe('a change to a recipient', () => {
  it('of nothing is none, whatever blanks the name has', () => expect(edit({})).toBeNull());
  it.each([
    [{ name: ' Ada King ' }, { name: 'Ada King' }],
    [{ email: ' ' }, { email: null }],
    [{ email: 'ada@example.org' }, { email: 'ada@example.org' }],
    [{ latinName: 'Ada' }, { latin_name: 'Ada' }],
    [{ address: NO_ADDRESS }, { address: null }],
    [{ replacesDetails: true, details: { iban: ' DE34 ', bic: '' } }, { bank_details: { iban: 'DE34' } }],
    // Typed, and then taken back.
    [{ name: 'Ada', details: { iban: 'DE34' } }, { name: 'Ada' }],
  ])('to %j sends %j alone', (change, sent) => expect(edit(change)).toEqual(sent));
  it('of the address keeps what the form does not ask for', () =>
    expect(edit({ address: { ...editingOf(BEFORE).address, city: 'Bonn' } })).toEqual({
      address: { line1: 'Main St 1', city: 'Bonn', country: 'DE', line2: 'Back', state: 'BE' },
    }));
  it.each([
    { name: ' ' },
    { address: { ...editingOf(BEFORE).address, city: '' } },
    { replacesDetails: true },
    { replacesDetails: true, details: { iban: 'DE3' } },
    { replacesDetails: true, name: 'Ada King', details: { bic: 'ABCDEFGH' } },
  ])('to %j is none yet', (change) => expect(edit(change)).toBeNull());
  it('of bank details is none while nobody knows what they need', () =>
    expect(editOf({ ...editingOf(BEFORE), replacesDetails: true, name: 'Ada' }, BEFORE, null)).toBeNull());
});
