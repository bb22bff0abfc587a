/** Who made a key is found behind keys that were rolled, and behind keys that made keys. */
import { expect, it } from 'vitest';
import { makerOf, type Made } from './maker.ts';

const KEYS: readonly Made[] = [
  { id: 'key_1', line: 'key_1', created_by: 'usr_ada' },
  // Somebody else rolled it: its line is that of Ada all the same.
  { id: 'key_2', line: 'key_1', created_by: 'usr_bob' },
  { id: 'key_3', line: 'key_3', created_by: 'key_2' },
  { id: 'key_4', line: 'key_4', created_by: 'cli' },
  { id: 'key_5', line: 'key_5', created_by: 'key_4' },
  { id: 'key_6', line: 'key_6', created_by: null },
];
const read = async (id: string): Promise<Made> => {
  const found = KEYS.find((key) => key.id === id);
  if (found === undefined) throw new Error(`${id} was asked for`);
  return found;
};

it.each([
  ['key_1', 'usr_ada'],
  ['key_2', 'usr_ada'],
  ['key_3', 'usr_ada'],
  ['key_4', 'cli'],
  ['key_5', 'cli'],
  ['key_6', null],
])('%s was made by %s', async (id, maker) => expect(await makerOf(await read(id), read)).toBe(maker));
