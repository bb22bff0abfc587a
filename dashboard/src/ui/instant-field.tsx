/**
 * An instant by the reader's own clock, or a day. One that is half typed is no empty one: a browser shows both as "", and a key would work for
 * ever, a payout would leave today.
 */
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { HALF } from './half.ts';

interface Props {
  readonly label: string;
  readonly description?: string;
  /** As `2026-11-25T10:42`, `''`, or {@link HALF}. */
  readonly value: string;
  onChange(value: string): void;
  readonly error?: ReactNode;
}

export const InstantField = (props: Props) => (
  <Field {...props} type="datetime-local" half="Day and time, or nothing." />
);

/** Its value is as `2026-11-25`, `''`, or {@link HALF}. */
export const DayField = (props: Props) => <Field {...props} type="date" half="A whole day, or nothing." />;

interface FieldProps extends Props {
  readonly type: 'date' | 'datetime-local';
  /** What is said while it is half typed. */
  readonly half: string;
}

function Field({ label, description, value, onChange, error, type, half }: FieldProps) {
  // A key that leaves it half typed changes no value, so the browser tells of it by no other event.
  const read = ({ value: text, validity }: HTMLInputElement) => {
    const next = validity.badInput ? HALF : text;
    if (next !== value) onChange(next);
  };
  return (
    <TextInput
      label={label}
      description={description}
      type={type}
      defaultValue={value === HALF ? '' : value}
      onChange={(event) => read(event.currentTarget)}
      onKeyUp={(event) => read(event.currentTarget)}
      onBlur={(event) => read(event.currentTarget)}
      error={value === HALF ? half : error}
    />
  );
}

/** Unix seconds of such a value; `undefined` where it names no instant. */
export function secondsOf(value: string): number | undefined {
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1_000);
}
