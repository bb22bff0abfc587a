/** An instant by the reader's own clock. One that is half typed is no empty one: a browser shows both as "", and a key would work for ever. */
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

/** In place of a value: something is typed, and it is no instant yet. Nothing is sent while it is so. */
export const HALF = 'half';

interface Props {
  readonly label: string;
  readonly description?: string;
  /** As `2026-11-25T10:42`, `''`, or {@link HALF}. */
  readonly value: string;
  onChange(value: string): void;
  readonly error?: ReactNode;
}

export function InstantField({ label, description, value, onChange, error }: Props) {
  // A key that leaves it half typed changes no value, so the browser tells of it by no other event.
  const read = ({ value: text, validity }: HTMLInputElement) => {
    const next = validity.badInput ? HALF : text;
    if (next !== value) onChange(next);
  };
  return (
    <TextInput
      label={label}
      description={description}
      type="datetime-local"
      defaultValue={value === HALF ? '' : value}
      onChange={(event) => read(event.currentTarget)}
      onKeyUp={(event) => read(event.currentTarget)}
      onBlur={(event) => read(event.currentTarget)}
      error={value === HALF ? 'Day and time, or nothing.' : error}
    />
  );
}

/** Unix seconds of such a value; `undefined` where it names no instant. */
export function secondsOf(value: string): number | undefined {
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1_000);
}
