/** The controls of filters: one of several words, a text that counts once nobody types for 300 ms, and what a link brought along. */
import { CloseButton, Select, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useRead } from '../api/reads.ts';
import { shortId } from './id.tsx';
import { SINCE_CHOICES } from './since.ts';

interface ChoiceProps {
  /** Names it, and is what stands there when nothing is chosen: `Any state`. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  onChange(value: string): void;
  readonly width?: number;
}

const ANY = '';

/** A value of the address that is none of the options is shown as it is, so that nobody takes the list for the whole. */
export function Choice({ label, value, options, onChange, width = 170 }: ChoiceProps) {
  const isKnown = value === ANY || options.some((option) => option.value === value);
  return (
    <Select
      aria-label={label}
      w={width}
      data={[{ value: ANY, label }, ...options, ...(isKnown ? [] : [{ value, label: value }])]}
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

/** Enter takes it at once, and so does leaving the field: a button that clears it comes after it. */
export function FilterText({ label, value, onChange, width = 200 }: TextProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  // The address changed by other means: Back, Clear.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const take = () => {
    if (text.trim() === sent.current) return;
    sent.current = text.trim();
    onChange(sent.current);
  };
  useEffect(() => {
    const timer = setTimeout(take, 300);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      w={width}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && take()}
      onBlur={take}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

interface ChipProps {
  /** `Batch` */
  readonly word: string;
  /** An id. */
  readonly value: string;
  clear(): void;
}

/** A filter that no field sets: a link brought it along, and it can be taken away. */
export function Chip({ word, value, clear }: ChipProps) {
  return (
    <span className="chip">
      {word} <span className="mono">{shortId(value)}</span>
      <CloseButton size="sm" aria-label={`Without ${word}`} onClick={clear} />
    </span>
  );
}

/** The currencies that there are accounts in, for a `Choice`. Empty for a role that may not see balances. */
export function useCurrencies(): ChoiceProps['options'] {
  const balances = useRead(['balances'], (client) => client.balances.retrieve());
  return balances.data?.currencies.map(({ currency }) => ({ value: currency, label: currency })) ?? [];
}

/** A filter by one of these currencies. */
export function CurrencyChoice({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) {
  return <Choice label="Any currency" value={value} options={useCurrencies()} onChange={onChange} width={140} />;
}

/** How far back, by `since.ts`. */
export function SinceChoice({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) {
  return <Choice label="Any day" value={value} options={SINCE_CHOICES} onChange={onChange} width={150} />;
}
