/** The rows: what is wrong with each, mended in its place; who is new; doubles, which are kept or left out. */
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import classes from './batches.module.css';
import { type Decisions, isOpenDouble, type Verdict } from './check.ts';
import { FIELD_WORDS, type Field } from './columns.ts';
import type { Row } from './rows.ts';

interface Props {
  readonly rows: readonly Row[];
  readonly decisions: Decisions;
  readonly verdicts: ReadonlyMap<number, Verdict> | null;
  mend(line: number, field: Field, value: string): void;
  decide(change: Partial<Decisions>): void;
}

/** Rows that are in the document at first: each can be typed into. */
const PAGE = 100;

type Shown = 'wrong' | 'look' | 'new' | 'all';

const withLine = <T,>(set: ReadonlySet<T>, line: T, isIn: boolean): ReadonlySet<T> =>
  new Set([...set].filter((each) => each !== line).concat(isIn ? [line] : []));

export function Rows({ rows, decisions, verdicts, mend, decide }: Props) {
  const isLeftOut = ({ line }: Row) => decisions.leftOut.has(line);
  const verdictOf = ({ line }: Row) => verdicts?.get(line);
  const isWrong = (row: Row) =>
    !isLeftOut(row) &&
    (row.faults.length > 0 || isOpenDouble(row, rows, decisions) || (verdictOf(row)?.faults.length ?? 0) > 0);
  const isRefused = (row: Row) => !isLeftOut(row) && (verdictOf(row)?.faults.length ?? 0) > 0;
  const isOdd = (row: Row) => row.otherName !== null || (verdictOf(row)?.paidBefore ?? null) !== null;
  const sets: Readonly<Record<Shown, readonly Row[]>> = {
    wrong: rows.filter(isWrong),
    look: rows.filter(isOdd),
    new: rows.filter((row) => verdictOf(row)?.isNew === true),
    all: rows,
  };
  const [chosen, choose] = useState<Shown | null>(null);
  const [most, setMost] = useState(PAGE);
  const shown = chosen ?? (sets.wrong.length > 0 ? 'wrong' : 'all');
  const words: readonly (readonly [Shown, string])[] = [
    ['wrong', 'Wrong'],
    ['look', 'To look at'],
    ['new', 'New recipients'],
    ['all', 'All'],
  ];
  const seen = sets[shown].slice(0, most);
  return (
    <>
      <div className="filters">
        <SegmentedControl
          aria-label="Rows that are shown"
          value={shown}
          onChange={(next) => choose(next)}
          data={words
            .filter(([key]) => key === 'all' || sets[key].length > 0)
            .map(([value, word]) => ({ value, label: `${word} ${sets[value].length}` }))}
        />
      </div>
      <div className={classes['frame']}>
        <table className={classes['rows']} aria-label="Rows of the file">
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Name</th>
              <th scope="col">IBAN</th>
              <th scope="col" className={classes['right']}>
                Amount
              </th>
              <th scope="col">What there is to say</th>
            </tr>
          </thead>
          <tbody>
            {seen.map((row) => (
              <tr key={row.line} className={isLeftOut(row) ? classes['out'] : undefined}>
                <td className="muted">{row.line}</td>
                <td>
                  <Cell row={row} field="name" isOpen={isRefused(row)} mend={mend} />
                </td>
                <td className="mono">
                  <Cell row={row} field="iban" isOpen={isRefused(row)} mend={mend} />
                </td>
                <td className={classes['right']}>
                  <Cell row={row} field="amount" isOpen={isRefused(row)} mend={mend} />
                </td>
                <td>
                  <Says
                    row={row}
                    rows={rows}
                    decisions={decisions}
                    verdict={verdictOf(row)}
                    mend={mend}
                    decide={decide}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sets[shown].length > seen.length && (
        <div className="buttons">
          <span className="muted">
            {countOf(seen.length)} of {countOf(sets[shown].length)} shown
          </span>
          <Button variant="default" onClick={() => setMost(most + PAGE)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

interface CellProps {
  readonly row: Row;
  readonly field: Field;
  /** The service would refuse the row, and does not say by which field. */
  readonly isOpen: boolean;
  mend: Props['mend'];
}

/** As it stands in the file. A field with a fault can be typed over; it counts once it is left, so that the row stays while somebody types. */
function Cell({ row, field, isOpen, mend }: CellProps) {
  const value = row.cells[field] ?? '';
  if (isOpen || row.faults.some((fault) => fault.field === field))
    return (
      <Typed
        key={value}
        label={`${FIELD_WORDS[field]} of line ${row.line}`}
        value={value}
        done={(text) => mend(row.line, field, text)}
      />
    );
  if (field === 'amount' && row.minor !== null) return <Money minor={row.minor} currency={row.currency} />;
  return <bdi>{value}</bdi>;
}

function Typed({ label, value, done }: { readonly label: string; readonly value: string; done(text: string): void }) {
  const [text, setText] = useState(value);
  const leave = () => {
    if (text !== value) done(text);
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

interface SaysProps {
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly decisions: Decisions;
  readonly verdict: Verdict | undefined;
  mend: Props['mend'];
  decide: Props['decide'];
}

/** The others have columns of their own. */
const ELSEWHERE: readonly (Field | null)[] = ['name', 'iban', 'amount', null];

function Says({ row, rows, decisions, verdict, mend, decide }: SaysProps) {
  const { line, faults, sameAs, otherName } = row;
  const leaveOut = (isOut: boolean) => decide({ leftOut: withLine(decisions.leftOut, line, isOut) });
  if (decisions.leftOut.has(line)) {
    return (
      <span className={classes['says']}>
        <span className="muted">Left out</span>
        <Small word="Take it in" onClick={() => leaveOut(false)} />
      </span>
    );
  }
  const own = faults.map(({ message }) => message);
  const wrong = own.length > 0 ? own : (verdict?.faults ?? []);
  const isOpen = isOpenDouble(row, rows, decisions);
  return (
    <span className={classes['says']}>
      {wrong.length > 0 && <span className="bad">{wrong.join(' ')}</span>}
      {faults.map(({ field }) =>
        field === null || ELSEWHERE.includes(field) ? null : (
          <Cell key={field} row={row} field={field} isOpen={false} mend={mend} />
        ),
      )}
      {isOpen && <span className="bad">The same as line {sameAs}.</span>}
      {sameAs !== null && decisions.kept.has(line) && (
        <span className="muted">The same as line {sameAs}, and meant.</span>
      )}
      {otherName !== null && <span>Line {otherName} has this account under another name.</span>}
      {verdict?.isNew === true && <span className="muted">A new recipient, who will be made.</span>}
      {verdict?.paidBefore != null && (
        <span>
          Paid the same before: <Go to={`/payouts/${verdict.paidBefore}`}>{shortId(verdict.paidBefore)}</Go>
        </span>
      )}
      {isOpen && <Small word="Keep" onClick={() => decide({ kept: withLine(decisions.kept, line, true) })} />}
      {verdict?.choices.map(({ id, name }) => (
        <Small
          key={id}
          word={`${name} is meant`}
          onClick={() => decide({ meant: new Map(decisions.meant).set(line, id) })}
        />
      ))}
      {(wrong.length > 0 || isOpen || verdict?.paidBefore != null) && (
        <Small word="Leave out" onClick={() => leaveOut(true)} />
      )}
    </span>
  );
}

const Small = ({ word, onClick }: { readonly word: string; onClick(): void }) => (
  <Button size="compact-xs" variant="default" onClick={onClick}>
    {word}
  </Button>
);
