/** What a state is to the eye. The shapes: `state.tsx`. */

/** `done` ●, `wait` ◐ for somebody or something, `going` ○, `bad` ◆, `off` –. */
export type Mark = 'done' | 'wait' | 'going' | 'bad' | 'off';

export interface StateWords {
  readonly mark: Mark;
  readonly word: string;
}
