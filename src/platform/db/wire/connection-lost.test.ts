/** Which errors mean that there is no database, and which are answers of one. */
import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable, isConnectionLost } from './connection-lost.ts';

const error = (fields: object, message = 'x') => Object.assign(new Error(message), fields);

describe('isConnectionLost', () => {
  it.each([
    ['refused', error({ code: 'ECONNREFUSED', syscall: 'connect' })],
    ['the socket is not there', error({ code: 'ENOENT', syscall: 'connect' })],
    ['the socket is full', error({ code: 'EAGAIN', syscall: 'connect' })],
    ['too many connections', error({ code: '53300' })],
    ['starting', error({ code: '57P03' })],
    ['ended by an administrator', error({ code: '57P01' })],
    ['a standby that is not promoted', error({ code: '25006' })],
    ['a broken connection', error({}, 'Connection terminated unexpectedly')],
    ['away for long', new DatabaseUnavailable('away')],
  ])('%s', (_what, lost) => expect(isConnectionLost(lost)).toBe(true));

  it.each([
    ['a file that is not there', error({ code: 'ENOENT', syscall: 'open' })],
    ['a full pipe', error({ code: 'EAGAIN', syscall: 'write' })],
    ['a wrong password', error({ code: '28P01' })],
    ['a right that is missing', error({ code: '42501' })],
    ['a key that is taken', error({ code: '23505' })],
    ['no error at all', 'ECONNREFUSED'],
  ])('not: %s', (_what, answer) => expect(isConnectionLost(answer)).toBe(false));
});
