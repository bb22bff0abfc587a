import { expect, it } from 'vitest';
import { StateMachine } from './state-machine.ts';

const machine = () => new StateMachine('OPEN', { OPEN: ['CLOSED'], CLOSED: [] });

it('goes from state to state as its table says', () => {
  const door = machine();
  expect(door.is('OPEN')).toBe(true);
  door.become('CLOSED');
  expect(door.is('OPEN')).toBe(false);
  expect(door.is('OPEN', 'CLOSED')).toBe(true);
});

it('refuses every other transition, and stays as it was', () => {
  const door = machine();
  expect(() => door.become('OPEN')).toThrow('what is OPEN does not become OPEN');
  door.become('CLOSED');
  expect(() => door.become('OPEN')).toThrow('what is CLOSED does not become OPEN');
  expect(door.is('CLOSED')).toBe(true);
});
