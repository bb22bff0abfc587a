/** Lists of short words, written as texts with blanks between the words. */

export type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

export const words = <const S extends string>(...lines: readonly S[]): readonly Words<S>[] =>
  lines.flatMap((line) => line.split(' ')) as readonly string[] as readonly Words<S>[];
