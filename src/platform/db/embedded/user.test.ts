/** Which user PostgreSQL runs as when root starts it, from what a machine says about its users. */
import { expect, test } from 'vitest';
import { borrowed, type Machine, userUnderRoot } from './user.ts';

const ALL = '         0          0 4294967295\n';
const machine = (change: Partial<Machine> = {}): Machine => ({
  passwd:
    'root:x:0:0::/root:/bin/sh\ndaemon:x:1:1::/:/bin/false\nbin:x:2:2::/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n',
  group: 'root:x:0:\nnogroup:x:65534:\n',
  lent: '',
  maps: [ALL, ALL],
  running: () => new Set([0, 65_534]),
  ...change,
});
const withBursar = machine({ passwd: `${machine().passwd}bursar:x:990:991::/:/bin/false\n` });
const high = (id: number) => id >= 2_001_000_000 && id < 2_147_000_000;

test('the system user bursar, if there is one', () => {
  expect(userUnderRoot(null, withBursar)).toEqual({ uid: 990, gid: 991 });
});

test('else a high number, another each time, as user and group', () => {
  const chosen = Array.from({ length: 20 }, () => userUnderRoot(null, machine()));
  expect(chosen.filter(({ uid, gid }) => uid !== gid || !high(uid))).toEqual([]);
  expect(new Set(chosen.map(({ uid }) => uid)).size).toBe(20);
});

test('the owner of the cluster keeps it, unless that is root or nobody, whatever its number', () => {
  const kept = { uid: 2_001_234_567, gid: 2_001_234_567 };
  expect(userUnderRoot(kept, withBursar)).toEqual(kept);
  const elsewhere = machine({ passwd: 'root:x:0:0::/:/bin/sh\nnobody:x:99:99::/:/bin/false\n' });
  for (const uid of [0, 99, 65_534]) {
    expect(userUnderRoot({ uid, gid: uid }, withBursar)).toEqual(
      uid === 99 ? { uid, gid: uid } : { uid: 990, gid: 991 },
    );
    expect(high(userUnderRoot({ uid, gid: uid }, elsewhere).uid)).toBe(true);
  }
  const trap = machine({ passwd: 'root:x:0:0::/:/bin/sh\nbursar:x:0:0::/:/bin/sh\n' });
  expect(high(userUnderRoot(null, trap).uid)).toBe(true);
});

test('a number that a user, a group, a process or a container has is not taken', () => {
  // In a small container one number in twenty is free; the others are taken, each time in another way.
  const range = '0 100000 65536\n';
  const isFree = (id: number) => id % 20 === 0;
  const ids = Array.from({ length: 61_184 - 20_000 }, (_, index) => 20_000 + index).filter((id) => !isFree(id));
  const tens = Array.from({ length: (61_184 - 20_000) / 20 + 1 }, (_, index) => 20_000 + index * 20);
  const full: Partial<Machine>[] = [
    { passwd: ids.map((id) => `u${id}:x:${id}:1::/:/bin/false`).join('\n') },
    { passwd: ids.map((id) => `u${id}:x:1:${id}::/:/bin/false`).join('\n') },
    { group: ids.map((id) => `g${id}:x:${id}:`).join('\n') },
    { running: () => new Set(ids) },
    { lent: tens.map((id) => `alice:${id + 1}:19`).join('\n') },
  ];
  for (const given of full) {
    const chosen = Array.from(
      { length: 4 },
      () => userUnderRoot(null, machine({ maps: [range, range], ...given })).uid,
    );
    expect(chosen.filter((id) => !isFree(id))).toEqual([]);
  }
  // Control: with nothing taken, others are chosen too.
  const unbound = Array.from({ length: 100 }, () => userUnderRoot(null, machine({ maps: [range, range] })).uid);
  expect(unbound.filter((id) => !isFree(id))).not.toEqual([]);

  const none = { maps: [range, range], lent: 'alice:0:65536\n' };
  expect(() => userUnderRoot(null, machine(none))).toThrow('No user number is free for PostgreSQL');
  expect(() => userUnderRoot(null, machine(none))).toThrow('useradd --system bursar');
});

test('in a container with few numbers one of them, for users and groups alike', () => {
  const small = '0 100000 65536\n';
  for (const maps of [
    [small, small],
    [ALL, small],
    [small, ALL],
  ]) {
    const { uid } = userUnderRoot(null, machine({ maps }));
    expect(uid).toBeGreaterThanOrEqual(20_000);
    expect(uid).toBeLessThan(61_184);
  }
  expect(() => userUnderRoot(null, machine({ maps: ['0 1000 1\n', ALL] }))).toThrow(
    'Make a system user for PostgreSQL',
  );
});

test('initdb borrows the name of an idle account, with the group of nobody else', () => {
  const user = { uid: 2_001_234_567, gid: 2_001_234_567 };
  expect(borrowed(user, machine())).toEqual({ uid: 1, gid: user.gid });
  expect(borrowed(user, machine({ running: () => new Set([0, 1]) }))).toEqual({ uid: 2, gid: user.gid });
  expect(borrowed({ uid: 990, gid: 991 }, withBursar)).toEqual({ uid: 990, gid: 991 });
  expect(() => borrowed(user, machine({ running: () => new Set([1, 2]) }))).toThrow('none is idle');
});
