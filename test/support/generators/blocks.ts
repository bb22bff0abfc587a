/** The blocks of code of a Markdown page: fenced ones with their language, and indented ones, which name none. */

export interface Block {
  /** As after the fence; '' for an indented block. */
  readonly language: string;
  /** Without fence and indentation. */
  readonly text: string;
}

const FENCED_OR_INDENTED = /^```(\w*)[^\n]*\n([\s\S]*?)^```$|(?<=\n\n)(?: {4}.*\n(?:\n(?= {4}))?)+/gm;

export function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(FENCED_OR_INDENTED)].map(([whole, language, fenced]) => ({
    language: language ?? '',
    text: (fenced ?? whole.replace(/^ {4}/gm, '')).trim(),
  }));
}

/** The lines of a block, each whole: one that ends with a backslash goes on. */
export const linesIn = ({ text }: Block): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
