/** Scopes in words: every scope of the API has some, and what is chosen is what is sent. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { levelsOf, PRESETS, SCOPE_GROUPS, scopeInWords, scopesInShort, scopesOf } from './scopes.ts';

interface Document {
  readonly components: {
    readonly schemas: {
      readonly CreateKeyRequest: {
        readonly properties: {
          readonly scopes: { readonly anyOf: readonly [{ readonly items: { readonly enum: readonly string[] } }] };
        };
      };
    };
  };
}
const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const ofApi = document.components.schemas.CreateKeyRequest.properties.scopes.anyOf[0].items.enum;
const words = SCOPE_GROUPS.flatMap(({ resources }) => resources);

describe('scopes in words', () => {
  it('has words for every resource of the API', () => {
    const known = new Set(words.map(({ resource }) => resource));
    const resources = new Set(ofApi.map((scope) => scope.replace(/:.*/, '')));
    expect([...resources].filter((resource) => !known.has(resource))).toEqual([]);
  });

  it('names no resource twice', () => expect(new Set(words.map(({ resource }) => resource)).size).toBe(words.length));

  it('sends what was chosen, write in place of read', () => {
    const chosen = ['payouts:write', 'payouts:read', 'accounts:read'];
    expect(scopesOf(levelsOf(chosen)).toSorted()).toEqual(['accounts:read', 'payouts:write']);
  });

  it('offers no writing where there is nothing to write', () =>
    expect(PRESETS.flatMap(({ scopes }) => scopes).filter((scope) => scopeInWords(scope) === scope)).toEqual([]));

  it.each([
    [null, 'Everything'],
    [[], 'Nothing'],
    [['payouts:write', 'accounts:read'], 'Writes Payouts; reads Accounts'],
    [['unheard_of:read'], 'Reads unheard_of'],
  ])('shows %j as %s', (scopes, line) => expect(scopesInShort(scopes)).toBe(line));
});
