/** The environment that a page is about: from the address, for everything below it. */
import { createContext, type ReactNode, use, useMemo } from 'react';
import { type Bursar, clientOf } from './client.ts';
import { headerOf } from './session.ts';
import type { Environment, Mode, Person } from './shapes.ts';

export interface Here {
  readonly mode: Mode;
  /** What the header says; the first part of every query's key. */
  readonly name: string;
  readonly client: Bursar;
  readonly environment: Environment;
  readonly environments: readonly Environment[];
  readonly person: Person;
}

const Context = createContext<Here | null>(null);

interface Props {
  readonly environment: Environment;
  readonly environments: readonly Environment[];
  readonly person: Person;
  readonly children: ReactNode;
}

export function EnvironmentProvider({ environment, environments, person, children }: Props) {
  const name = headerOf(environments, environment);
  const client = useMemo(() => clientOf(name), [name]);
  const here = useMemo(
    () => ({ mode: environment.mode, name, client, environment, environments, person }),
    [name, client, environment, environments, person],
  );
  return <Context value={here}>{children}</Context>;
}

/** Throws outside of an environment. */
export function useHere(): Here {
  const here = use(Context);
  if (here === null) throw new Error('This page is outside of an environment.');
  return here;
}
