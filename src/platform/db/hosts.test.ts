/** Addresses with one host and with several. */
import { describe, expect, it } from 'vitest';
import { addressesOf } from './hosts.ts';

describe('addressesOf', () => {
  it.each([
    ['postgres://me:secret@db/bursar', ['postgres://me:secret@db/bursar']],
    ['postgresql://db:5433/bursar?sslmode=require', ['postgresql://db:5433/bursar?sslmode=require']],
    [
      'postgres://me:p%40ss@/bursar?host=%2Frun%2Fpg&port=5432',
      ['postgres://me:p%40ss@/bursar?host=%2Frun%2Fpg&port=5432'],
    ],
    ['postgres:///bursar', ['postgres:///bursar']],
    [
      'postgres://me:x@one,two:5433,[::1]:5434/bursar?target_session_attrs=read-write&sslmode=require',
      ['one', 'two:5433', '[::1]:5434'].map((host) => `postgres://me:x@${host}/bursar?sslmode=require`),
    ],
    ['postgres://one,two/bursar?target_session_attrs=primary', ['postgres://one/bursar', 'postgres://two/bursar']],
  ])('%s', (url, addresses) => {
    expect(addressesOf(url)).toEqual(addresses);
  });

  it.each([
    'mysql://db/bursar',
    'db/bursar',
    'postgres://me:x@one:port/bursar',
    'postgres://me:x@one:99999/bursar',
    'postgres://me:x@one,two:x/bursar',
    'postgres://a b/bursar',
    'postgres://me@you@db/bursar',
    'postgres://one,two/bursar?target_session_attrs=standby',
    'postgres://one/bursar?target_session_attrs=any&target_session_attrs=read-write',
  ])('refuses %s', (url) => {
    expect(addressesOf(url)).toBeNull();
  });
});
