/** One round of due work: what is sent, in which order, what is left alone afterwards, and when the next round starts at once. */
import { describe, expect, it } from 'vitest';
import { idOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { Backoff } from './backoff.ts';
import { type DueSource, type DueWork, runOnce } from './due-worker.ts';

const UUID = '01930000-0000-7000-8000-000000000001';
const ENVIRONMENT = idOf('env', UUID);
const [ROOT, KEY] = ['key_root', 'key_own'] as const;

const source = (name: string): DueSource<string> => ({
  find: (left) => ({ text: name, values: [left] }),
  due(row) {
    const id = row['id'] as string;
    return {
      id,
      command: id === 'unreadable' ? null : `do ${id}`,
      ...(id === 'ordered' && { actor: KEY, lineage: [ROOT, KEY] }),
    };
  },
});

/** A round over rows by source. `refused`: ids whose commands are refused. */
function stage(rowsOf: Readonly<Record<string, readonly string[]>>, refused: readonly string[] = []) {
  const names = Object.keys(rowsOf);
  const seen: { asked: unknown[]; sent: unknown[]; points: string[] } = { asked: [], sent: [], points: [] };
  const work: DueWork<string> = {
    name: 'test',
    fault: 'failed',
    sources: names.map(source),
    backlogRows: 2,
    pauseMs: 1,
    found: () => void seen.points.push('found'),
    committed: () => void seen.points.push('committed'),
  };
  const backoffs = names.map(() => new Backoff());
  const rows = async ({ text, values }: Statement): Promise<readonly Row[]> => {
    seen.asked.push([text, values[0]]);
    return (rowsOf[text] as readonly string[]).map((id) => ({ environment_id: UUID, id }));
  };
  const write = async (...sent: readonly unknown[]) => {
    seen.sent.push(sent);
    return { status: refused.some((id) => sent[1] === `do ${id}`) ? 400 : 200 };
  };
  return { seen, backoffs, round: () => runOnce(work, { rows, write }, backoffs) };
}

describe('a round', () => {
  it('sends a command for each row, in order of the sources and their rows, as the actor that is named or the worker', async () => {
    const { seen, round } = stage({ links: ['a', 'ordered'], payments: ['b'] });
    await round();
    expect(seen.sent).toEqual([
      [ENVIRONMENT, 'do a', 'worker', []],
      [ENVIRONMENT, 'do ordered', KEY, [ROOT, KEY]],
      [ENVIRONMENT, 'do b', 'worker', []],
    ]);
    expect(seen.points).toEqual(['found', 'committed', 'committed', 'committed']);
  });

  it('notes refused rows and those without a command, each for its own source', async () => {
    const { seen, backoffs, round } = stage({ links: ['a', 'b', 'unreadable'], payments: ['c'] }, ['c']);
    await round();
    expect(seen.sent).toHaveLength(3);
    expect(seen.points.filter((point) => point === 'committed')).toHaveLength(2);
    expect(backoffs.map((backoff) => backoff.waiting(0))).toEqual([['unreadable'], ['c']]);
  });

  it('asks each source for all but what was refused there', async () => {
    const { seen, backoffs, round } = stage({ links: [], payments: [] });
    backoffs[1]?.note('b', Number.MAX_SAFE_INTEGER); // refused a moment ago, whatever the clock says
    await round();
    expect(seen.asked).toEqual([
      ['links', []],
      ['payments', ['b']],
    ]);
  });

  it('is followed by another at once if one source found a backlog; rows of several do not add up', async () => {
    expect(await stage({ links: ['a'], payments: ['b'] }).round()).toBe(false);
    expect(await stage({ links: [], payments: ['a', 'b'] }).round()).toBe(true);
  });

  it('finds nothing: no stop point, no command', async () => {
    const { seen, round } = stage({ links: [] });
    expect(await round()).toBe(false);
    expect(seen).toMatchObject({ sent: [], points: [] });
  });

  it('rejects with the failure of a write', async () => {
    const failing = runOnce(
      { name: '', fault: '', sources: [source('links')], backlogRows: 2, pauseMs: 1 },
      { rows: async () => [{ environment_id: UUID, id: 'a' }], write: () => Promise.reject(new Error('gone')) },
      [new Backoff()],
    );
    await expect(failing).rejects.toThrow('gone');
  });
});
