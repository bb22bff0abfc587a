/** Entries of the audit log as sentences: each action has one, and an action that nobody knows is shown by its own words. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KINDS, KNOWN_ACTIONS, sentenceOf } from './sentences.ts';

interface Document {
  readonly components: {
    readonly schemas: {
      readonly AuditEntry: {
        readonly properties: { readonly action: { readonly 'x-extensible-enum': readonly string[] } };
      };
    };
  };
}
const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const actions = document.components.schemas.AuditEntry.properties.action['x-extensible-enum'];

describe('sentences of the audit log', () => {
  it('has one for every action of the API', () =>
    expect(actions.filter((action) => !KNOWN_ACTIONS.includes(action))).toEqual([]));

  it('offers every action under one kind', () =>
    expect(KINDS.flatMap((kind) => kind.actions).toSorted()).toEqual([...KNOWN_ACTIONS].toSorted()));

  it.each([
    ['key.created', { name: 'payroll', scopes: null }, 'made the key “payroll”, which may do everything'],
    ['key.created', { name: 'a', scopes: ['payouts:read'] }, 'made the key “a”, with 1 scope'],
    ['key.rolled', { to: 'key_2', overlap_seconds: 0 }, 'rolled a key; the old one ended at once'],
    ['key.rolled', { to: 'key_2', overlap_seconds: 86_400 }, 'rolled a key; the old one works 24 hours more'],
    ['settings.updated', { changed: ['name', 'logo', 'colour'] }, 'changed the settings: name, logo and colour'],
    ['payout.approved', { approvals: 1, required: 2 }, 'approved a payout (1 of 2)'],
    ['payout.rejected', { reason: 'twice' }, 'rejected a payout: “twice”'],
    ['payment_file.sealed', { payouts_count: 1 }, 'made a payment file of 1 payout'],
    [
      'user.updated',
      { changed: ['roles'], roles: ['viewer'], roles_before: ['admin'] },
      'changed a person: viewer, before admin',
    ],
    ['moon.landed_on', { reason: 'so' }, 'moon: landed on: “so”'],
    ['odd', {}, 'odd'],
  ])('%s with %j', (action, details, sentence) => expect(sentenceOf({ action, details })).toBe(sentence));

  it('says something of every action without details', () => {
    for (const action of actions) expect(sentenceOf({ action, details: {} })).toMatch(/^[a-z]/);
  });
});
