/**
 * What generators make of the OpenAPI document: types of TypeScript in which the type of an event says what its object is, and which tell the answer
 * of a dry run from a real one. The lines with `@ts-expect-error` are the controls: the compiler complains where one of them has no error.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTypes from 'openapi-typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DOCUMENT } from './support/harness/all-routes.ts';

const CONSUMER = `
import type { components, paths, webhooks } from './api.d.ts';

type Schemas = components['schemas'];

export function onEvent(e: Schemas['KnownEvent']): unknown {
  if (e.type === 'payout.paid') {
    const amount: number = e.data.object.amount;
    const was: unknown = e.data.previous_attributes?.['status'];
    // @ts-expect-error a payout has no balance
    e.data.object.balance;
    // @ts-expect-error only balance.updated names a transfer
    e.data.transfer;
    // @ts-expect-error what was is unknown until it is looked at
    was.length;
    return [amount, was];
  }
  if (e.type === 'balance.updated') {
    const transfer: string = e.data.transfer;
    const before: number = e.data.previous_attributes.balance;
    // @ts-expect-error an account has no amount
    e.data.object.amount;
    return [transfer, before];
  }
  // @ts-expect-error no such type
  if (e.type === 'payout.payed') return null;
  // @ts-expect-error not every object has an amount
  e.data.object.amount;
  return e.id + e.sequence;
}

export function onWebhook(body: webhooks['event']['post']['requestBody']): string | null {
  const e = body.content['application/json'] as Schemas['PayoutEvent']; // an endpoint that asked for payouts
  return e.type === 'payout.failed' ? e.data.object.failure_code : e.data.object.status;
}

type Answer = paths['/v1/payouts']['post']['responses']['200']['content']['application/json'];
export function idOf(answer: Answer): string {
  // @ts-expect-error a dry run has no id
  const id: string = answer.id;
  if ('dry_run' in answer) return String(answer.id satisfies null);
  return answer.id satisfies string;
}
`;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-types-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'api.d.ts'), await openapiTypes(JSON.parse(JSON.stringify(DOCUMENT)) as never));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the compiler says of the text; empty when it is content. */
function complaints(name: string, text: string): readonly string[] {
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, text);
  const flags =
    '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2023 --ignoreConfig';
  try {
    execFileSync(process.execPath, ['node_modules/typescript/lib/tsc.js', ...flags.split(' '), file], {
      encoding: 'utf8',
    });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.trim().split('\n');
  }
}

it('narrow an event by its type, and an answer by dry_run', () => {
  expect(complaints('consumer', CONSUMER)).toEqual([]);
});

it('control: without the marks each wrong line is a fault', () => {
  const marks = CONSUMER.split('\n').filter((line) => line.includes('@ts-expect-error')).length;
  const unmarked = complaints('unmarked', CONSUMER.replaceAll('@ts-expect-error', ''));
  expect([marks, unmarked.filter((line) => line.includes('error TS')).length]).toEqual([7, 7]);
});

it('compile the example of the guide', () => {
  const guide = readFileSync('docs/guides/integrating.md', 'utf8');
  const [, example = ''] = /```ts\n(import type \{ components \}.*?)```/s.exec(guide) ?? [];
  expect(example).toContain('event.type ===');
  expect(complaints('guide', example.replace('./bursar.d.ts', './api.d.ts'))).toEqual([]);
});

/** As `/openapi.json` serves it. A tool that reads it, and a model that is given it, has room for no more. */
const MOST_BYTES = 450_000;

it('the document stays small enough to be read by tools', () => {
  expect(Buffer.byteLength(JSON.stringify(DOCUMENT))).toBeLessThan(MOST_BYTES);
});
