/** The address names a mode in which the person has no role. */
import { Link } from 'wouter';
import type { Environment, Mode } from '../api/shapes.ts';
import { modeWord } from '../ui/page.tsx';

interface Props {
  readonly mode: Mode;
  readonly environments: readonly Environment[];
}

export function NoEnvironment({ mode, environments }: Props) {
  const other = environments.find((each) => each.mode !== mode);
  return (
    <main className="page">
      <h1>You have no role in {modeWord(mode)}</h1>
      <p>An administrator of your company can give you one.</p>
      {other !== undefined && (
        <p>
          <Link href={`/${other.mode}`}>Go to {modeWord(other.mode)}</Link>
        </p>
      )}
    </main>
  );
}
