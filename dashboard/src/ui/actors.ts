/** Who did something, as text. Pure. */

const ACTOR_WORDS: Readonly<Record<string, string>> = {
  worker: 'The service',
  visitor: 'A payer',
  acquirer: 'The card processor',
  cli: 'The command line',
  second_person: 'The sandbox’s second person',
};

/** As the beginning of a sentence: a key is named as one. */
export function actorInSentence(actor: string | null, names: ReadonlyMap<string, string>): string {
  const key = actor?.startsWith('key_') === true ? names.get(actor) : undefined;
  return key === undefined ? actorName(actor, names) : `The key “${key}”`;
}

/** The name of who did it: known names first, then words for parts of the service, then the end of the id. */
export function actorName(actor: string | null, names: ReadonlyMap<string, string>): string {
  if (actor === null) return 'Somebody';
  const known = names.get(actor) ?? ACTOR_WORDS[actor];
  if (known !== undefined) return known;
  return actor.startsWith('usr_') ? `A person …${actor.slice(-4)}` : `A key …${actor.slice(-4)}`;
}
