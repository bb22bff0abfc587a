/** Who made a key, up to a person or the command line. The server lets a person roll what descends from what they made, and nothing else. */

export interface Made {
  readonly id: string;
  /** The first key of its line; a key that was rolled descends as that one does. */
  readonly line: string;
  readonly created_by: string | null;
}

/** `read` finds a key by its id. `null`: nobody says. */
export async function makerOf(key: Made, read: (id: string) => Promise<Made>): Promise<string | null> {
  const first = key.line === key.id ? key : await read(key.line);
  const { created_by: maker } = first;
  return maker?.startsWith('key_') === true ? makerOf(await read(maker), read) : maker;
}
