import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILURE_CODES, failureOfReason, isReturnCode, TELLING_REASONS } from './failures.ts';

/** The code sets of ISO, which are not part of this project. */
const folder = process.env['BURSAR_ISO20022'] ?? join(import.meta.dirname, '../../../../shared/iso20022');
const codesOf = (name: string) => {
  const { codes } = JSON.parse(readFileSync(join(folder, 'codes', name), 'utf8')) as { codes: Record<string, unknown> };
  return Object.keys(codes);
};

it('gives a code of ours for all that a bank may say', () => {
  expect(failureOfReason('AC04')).toBe('account_closed');
  expect(failureOfReason('AM04')).toBe('insufficient_funds');
  for (const said of [null, '', 'NARR', 'toString', 'ZZ99', 'a word of the bank']) {
    expect(failureOfReason(said)).toBe('could_not_process');
  }
  expect(new Set(TELLING_REASONS).size).toBe(TELLING_REASONS.length);
});

describe.skipIf(!existsSync(folder))('the code sets of ISO', () => {
  it('know every code of the table, and have 301 status and 104 return reasons', () => {
    const [status, returned] = [
      codesOf('external_status_reason_code.json'),
      codesOf('external_return_reason_code.json'),
    ];
    expect([status.length, returned.length]).toEqual([301, 104]);
    const known = new Set([...status, ...returned]);
    expect(TELLING_REASONS.filter((code) => !known.has(code))).toEqual([]);
    for (const code of known) expect(FAILURE_CODES[failureOfReason(code)]).toBeDefined();
  });
});

it.each(['RRTN', 'RPCR', 'ARET', 'AREV'])('%s says that a payment came back', (subfamily) => {
  expect(isReturnCode({ subfamily, proprietary: null })).toBe(true);
});

it.each(['ESCT', 'RIMB', 'RCDD', 'UPDD', 'PRDD', 'DAJT', 'OTHR', '', 'rrtn'])('%s does not say that', (subfamily) => {
  expect(isReturnCode({ subfamily, proprietary: null })).toBe(false);
});

it.each([
  ['NRTI', true],
  ['NRTI+159', true],
  ['RTI', true],
  ['NTRF+177+08381', false],
  ['NRTIX', false],
  ['CRTI', false],
])('%s of a bank of its own: %s', (proprietary, isReturn) => {
  expect(isReturnCode({ subfamily: null, proprietary })).toBe(isReturn);
});
