/**
 * A message of SWIFT that is being read, and the fields that make its heading. Called by `mt-document.ts`.
 */
import type { Field } from '../../swift-mt/fields.ts';
import type { StatementLine } from '../../swift-mt/statement-line.ts';
import { accountOf, type Balance, balanceOf, floorCurrencyOf, instantOf, numbersOf } from '../../swift-mt/values.ts';
import { StatementFileError, type StatementFileErrorCode } from './bank-file-error.ts';
import type { MtMessage, Total } from './items.ts';
import { type Heading, newHeading } from './statement.ts';
import { cut } from './tree.ts';

interface OpenEntry {
  readonly line: StatementLine;
  readonly field: Field;
  /** Of `:86:`. */
  readonly lines: string[];
  characters: number;
}

export interface OpenMessage {
  readonly heading: Heading;
  /** `null` until a field says which one it is. */
  kind: MtMessage | null;
  currency: string | null;
  opening: { readonly balance: Balance; readonly field: Field } | null;
  page: bigint | null;
  entry: OpenEntry | null;
  /** The statement was given away: what it says of itself can no longer change. */
  isGiven: boolean;
  /** Of the balance at its end, `F` or `M`. */
  closing: string | null;
  readonly seen: Set<string>;
  entries: number;
  zeroEntries: number;
  credits: Total | null;
  debits: Total | null;
}

export const newMessage = (kind: MtMessage | null, line: number): OpenMessage => ({
  heading: newHeading(line),
  kind,
  currency: null,
  opening: null,
  page: null,
  entry: null,
  isGiven: false,
  closing: null,
  seen: new Set(),
  entries: 0,
  zeroEntries: 0,
  credits: null,
  debits: null,
});

export function refuse(
  code: StatementFileErrorCode,
  sentence: string,
  { tag, line }: Pick<Field, 'tag' | 'line'>,
): never {
  throw new StatementFileError(code, sentence, { line, path: `:${tag}:` });
}

export const NO_BALANCE = 'This is not a balance: C or D, the day, the currency and an amount with a comma.';

type HeadingReader = (message: OpenMessage, field: Field) => void;

/** The fields that make a heading, by their numbers. */
export const HEADING: ReadonlyMap<string, HeadingReader> = new Map<string, HeadingReader>([
  ['20', ({ heading }, { lines: [text = ''] }) => (heading.id = cut(text.trim()) || null)],
  [
    '25',
    ({ heading }, { lines }) => {
      const { other, ...named } = accountOf(lines);
      heading.account = { ...named, other: other === null ? null : cut(other), owner: null };
    },
  ],
  [
    '28',
    (message, { lines: [text = ''] }) => {
      const { statement, page } = numbersOf(text);
      message.heading.electronicSequence = statement;
      message.page = page;
    },
  ],
  [
    '60',
    (message, field) => {
      message.kind ??= 'mt940';
      const balance = balanceOf(field.lines[0] ?? '') ?? refuse('value', NO_BALANCE, field);
      message.opening = { balance, field };
      message.currency = balance.currency;
    },
  ],
  [
    '34',
    (message, field) => {
      message.kind ??= 'mt942';
      const currency = floorCurrencyOf(field.lines[0] ?? '');
      message.currency ??= currency ?? refuse('value', 'This is not a floor limit: a currency and an amount.', field);
    },
  ],
  ['13', ({ heading }, { lines: [text = ''] }) => (heading.created = heading.to = instantOf(text))],
]);
