/** The file: dropped or chosen, and how it is read. What is not sure is asked here, and what was seen can be changed. */
import { Button, Select } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { Card } from '../../ui/page.tsx';
import type { Mark } from '../../ui/amounts.ts';
import classes from './batches.module.css';
import { ENCODING_WORDS, ENCODINGS, type Encoding } from './bytes.ts';
import type { Separator } from './cells.ts';
import { type Columns, FIELD_WORDS, FIELDS, type Field } from './columns.ts';
import type { Read } from './rows.ts';

export function Drop({ take, fault }: { take(file: File): void; readonly fault: string | null }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) take(file);
  };
  return (
    <Card>
      <div
        className={`${classes['drop']} ${isOver ? classes['over'] : ''}`}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <p>Drop a CSV file with a name, an IBAN and an amount in each row.</p>
        <Button onClick={() => input.current?.click()}>Choose a file</Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          aria-label="File of payouts"
          hidden
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) take(file);
            event.currentTarget.value = '';
          }}
        />
        <p className="small muted">It is read in this browser. Nothing is sent before you check it.</p>
        {fault !== null && (
          <p className="trouble" role="alert">
            {fault}
          </p>
        )}
      </div>
    </Card>
  );
}

const SEPARATOR_WORDS: readonly { readonly value: Separator; readonly label: string }[] = [
  { value: ';', label: 'Semicolon' },
  { value: ',', label: 'Comma' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Bar' },
];

interface ReadingProps {
  readonly name: string;
  readonly encoding: Encoding;
  readonly inDoubt: boolean;
  readonly separator: Separator;
  readonly mark: Mark | null;
  readonly currency: string;
  readonly currencies: readonly { readonly value: string; readonly label: string }[];
  readonly header: readonly string[];
  readonly columns: Columns;
  readonly read: Read;
  set(change: {
    encoding?: Encoding;
    separator?: Separator;
    mark?: Mark | null;
    currency?: string;
    columns?: Columns;
  }): void;
  another(): void;
}

export function Reading(props: ReadingProps) {
  const { name, encoding, inDoubt, separator, mark, currency, currencies, header, columns, read, set, another } = props;
  const { question, missing } = read;
  const choose = (at: number, field: Field | null) =>
    set({ columns: columns.map((each, index) => (index === at ? field : each === field ? null : each)) });
  return (
    <Card
      title={<bdi>{name}</bdi>}
      aside={
        <Button variant="subtle" onClick={another}>
          Another file
        </Button>
      }
    >
      <div className="stack">
        <div className={classes['fields']}>
          <Select
            label="Letters"
            data={ENCODINGS.map((value) => ({ value, label: ENCODING_WORDS[value] }))}
            value={encoding}
            allowDeselect={false}
            description={inDoubt ? 'Not sure: look at names with accents.' : undefined}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            onChange={(next) => next !== null && set({ encoding: next })}
          />
          <Select
            label="Between cells"
            data={[...SEPARATOR_WORDS]}
            value={separator}
            allowDeselect={false}
            onChange={(next) => next !== null && set({ separator: next })}
          />
          {!columns.includes('currency') && (
            <Select
              label="Currency"
              data={[...currencies]}
              value={currency === '' ? null : currency}
              allowDeselect={false}
              error={currency === '' ? 'Which one?' : undefined}
              onChange={(next) => next !== null && set({ currency: next })}
            />
          )}
          <Select
            label="Decimals"
            data={[
              { value: ',', label: 'Comma: 1.234,50' },
              { value: '.', label: 'Point: 1,234.50' },
            ]}
            placeholder="As in the file"
            value={mark}
            clearable
            error={question === null ? undefined : questionOf(question)}
            onChange={(next) => set({ mark: next })}
          />
        </div>
        <div className={classes['fields']}>
          {header.map((title, at) => (
            <Select
              key={`${at} ${title}`}
              label={<bdi>{title}</bdi>}
              data={FIELDS.map((field) => ({ value: field, label: FIELD_WORDS[field] }))}
              placeholder="Not sent"
              value={columns[at] ?? null}
              clearable
              onChange={(next) => choose(at, next)}
            />
          ))}
        </div>
        {missing.length > 0 && (
          <p className="trouble" role="alert">
            Which column is {missing.map((field) => FIELD_WORDS[field]).join(', ')}?
          </p>
        )}
      </div>
    </Card>
  );
}

const questionOf = (question: NonNullable<Read['question']>): string =>
  question.why === 'mixed'
    ? `The file has ${question.ask} and ${question.other}. Which is meant?`
    : `${question.ask} may be either. Which is meant?`;
