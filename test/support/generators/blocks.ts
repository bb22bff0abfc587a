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

/** What a shell runs one after the other: the lines of a block, and a loop as one. */
export function statementsIn(block: Block): readonly string[] {
  const statements: string[] = [];
  let loop: string[] = [];
  for (const line of linesIn(block)) {
    if (loop.length > 0 || line.startsWith('for ')) loop.push(line);
    else statements.push(line);
    if (line !== 'done') continue;
    statements.push(loop.join('\n'));
    loop = [];
  }
  return [...statements, ...(loop.length > 0 ? [loop.join('\n')] : [])];
}
