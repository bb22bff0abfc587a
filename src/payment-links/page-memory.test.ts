/** Pages that are remembered: only as long as nothing happened, and never what was read while something did. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CommitSignal } from '../signal.ts';
import { PageMemory } from './page-memory.ts';

const PAGE = { status: 200, body: 'a page' };

/** A memory that listens to `env` already. */
function listening(signal = new CommitSignal()): PageMemory {
  const memory = new PageMemory(signal);
  memory.keep('any', 'env', PAGE, memory.now, 0);
  return memory;
}

async function commit(signal: CommitSignal, environmentId: string): Promise<void> {
  signal.announce(environmentId);
  await turn();
}

it('keeps a page for a second', () => {
  const memory = listening();
  memory.keep('key', 'env', PAGE, memory.now, 5_000);
  expect(memory.recall('key', 5_999)).toBe(PAGE);
  expect(memory.recall('key', 6_000)).toBeUndefined();
  expect(memory.recall('other', 5_000)).toBeUndefined();
});

it('does not keep the first page of an environment, to whose commits nobody listened', () => {
  expect(listening().recall('any', 0)).toBeUndefined();
});

it('forgets the pages of an environment with its next commit, and those of no other', async () => {
  const signal = new CommitSignal();
  const memory = listening(signal);
  memory.keep('first', 'other', PAGE, memory.now, 0);
  memory.keep('key', 'env', PAGE, memory.now, 0);
  memory.keep('elsewhere', 'other', PAGE, memory.now, 0);
  await commit(signal, 'env');
  expect(memory.recall('key', 1)).toBeUndefined();
  expect(memory.recall('elsewhere', 1)).toBe(PAGE);
});

it('does not keep what was read before a commit that was heard of since', async () => {
  const signal = new CommitSignal();
  const memory = listening(signal);
  const readFrom = memory.now;
  await commit(signal, 'env');
  memory.keep('key', 'env', PAGE, readFrom, 0);
  expect(memory.recall('key', 1)).toBeUndefined();
  memory.keep('key', 'env', PAGE, memory.now, 0);
  expect(memory.recall('key', 1)).toBe(PAGE);
});

it('forgets at once for who has just sent a form', () => {
  const memory = listening();
  const readFrom = memory.now;
  memory.keep('key', 'env', PAGE, readFrom, 0);
  memory.forget('env');
  expect(memory.recall('key', 1)).toBeUndefined();
  memory.keep('key', 'env', PAGE, readFrom, 0); // was being read meanwhile
  expect(memory.recall('key', 1)).toBeUndefined();
  memory.forget('never seen');
});

it('is bounded, in pages and in environments', () => {
  const memory = listening();
  for (let i = 0; i < 501; i++) memory.keep(`key ${i}`, 'env', PAGE, memory.now, 0);
  expect(memory.recall('key 0', 1)).toBeUndefined();
  expect(memory.recall('key 500', 1)).toBe(PAGE);
  for (let i = 0; i < 1_000; i++) memory.keep('key', `env ${i}`, PAGE, memory.now, 0);
  expect(memory.recall('key 500', 1)).toBeUndefined(); // nobody listens to its commits any more
  memory.keep('key', 'env', PAGE, memory.now, 0);
  expect(memory.recall('key', 1)).toBeUndefined();
});
