/** Roles in words. */
import { describe, expect, it } from 'vitest';
import { isSameSet, needsSecondFactor, rolesInWords, roleWarning } from './roles.ts';

describe('roles', () => {
  it.each([
    [[], ''],
    [['viewer', 'admin'], 'Admin, Viewer'],
    [['of_a_later_version'], 'of_a_later_version'],
  ])('%j are %j', (roles, words) => expect(rolesInWords(roles)).toBe(words));

  it('warns of admin and approver on one person, and of neither alone', () => {
    expect(roleWarning(['admin', 'viewer', 'approver'])).toContain('approve by them');
    expect(roleWarning(['admin'])).toBeNull();
    expect(roleWarning(['approver'])).toBeNull();
  });

  it('asks for a second factor where money or people are at stake', () => {
    expect(needsSecondFactor(['viewer', 'operator'])).toBe(true);
    expect(needsSecondFactor(['viewer', 'developer', 'accountant'])).toBe(false);
  });

  it.each([
    [[], [], true],
    [['admin', 'viewer'], ['viewer', 'admin'], true],
    [['admin'], ['viewer'], false],
    [['admin'], [], false],
    [['admin'], ['admin', 'viewer'], false],
  ])('%j and %j are the same: %j', (some, others, same) => expect(isSameSet(some, others)).toBe(same));
});
