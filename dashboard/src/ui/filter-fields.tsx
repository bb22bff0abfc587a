/** The controls of filters: one of several words, and a text that counts once nobody types for 300 ms. */
import { Select, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

interface ChoiceProps {
  /** Names it, and is what stands there when nothing is chosen: `Any state`. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  onChange(value: string): void;
  readonly width?: number;
}

const ANY = '';

export function Choice({ label, value, options, onChange, width = 170 }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      w={width}
      data={[{ value: ANY, label }, ...options]}
      value={value}
      onChange={(next) => onChange(next ?? ANY)}
    />
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
  readonly width?: number;
}

export function FilterText({ label, value, onChange, width = 200 }: TextProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  // The address changed by other means: Back, Clear.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      onChange(sent.current);
    }, 300);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      w={width}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
