/** A state: a word, and a mark of its own shape, so that no colour says it alone. Red only where something went wrong. */

/** `done` ●, `wait` ◐ for somebody or something, `going` ○, `bad` ◆, `off` –. */
export type Mark = 'done' | 'wait' | 'going' | 'bad' | 'off';

export interface StateWords {
  readonly mark: Mark;
  readonly word: string;
}

const SHAPES: Readonly<Record<Mark, string>> = {
  done: 'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z',
  wait: 'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z M6 2.9a3.1 3.1 0 0 1 0 6.2z',
  going: 'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z M6 3a3 3 0 1 0 0 6a3 3 0 1 0 0-6z',
  bad: 'M6 0.5L11.5 6L6 11.5L0.5 6z',
  off: 'M1.5 5.2h9v1.6h-9z',
};

export function State({ mark, word }: StateWords) {
  return (
    <span className={`state ${mark}`}>
      <svg aria-hidden="true" width="10" height="10" viewBox="0 0 12 12" fill="currentColor" fillRule="evenodd">
        <path d={SHAPES[mark]} />
      </svg>
      {word}
    </span>
  );
}
