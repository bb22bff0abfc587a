/**
 * What processes cost, from /proc: CPU time of a server and of all PostgreSQL processes, and resident memory. On a
 * system without /proc every figure is NaN, which the report prints as a dash.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds in one unit of /proc/…/stat on every Linux that Node runs on (USER_HZ is 100). */
const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that have ended and were waited for. */
  readonly goneMs: number;
}

function statOf(pid: number | string): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return { parent: at(1), ownMs: (at(11) + at(12)) * TICK_MS, goneMs: (at(13) + at(14)) * TICK_MS };
  } catch {
    return null;
  }
}

/** CPU milliseconds a process has used so far. */
export function cpuMs(pid: number): number {
  return statOf(pid)?.ownMs ?? Number.NaN;
}

/** CPU milliseconds of a process, its living children and its ended ones: PostgreSQL by its postmaster. */
export function familyCpuMs(pid: number): number {
  const head = statOf(pid);
  if (head === null) return Number.NaN;
  let sum = head.ownMs + head.goneMs;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    if (stat?.parent === pid) sum += stat.ownMs;
  }
  return sum;
}

/** CPU milliseconds of this process and of the load generators it has waited for. */
export function ownCpuMs(): number {
  const self = statOf('self');
  return self === null ? Number.NaN : self.ownMs + self.goneMs;
}

/** CPU milliseconds the whole machine has been busy, time stolen by its host included. */
export function machineCpuMs(): number {
  try {
    const line = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0] ?? '';
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
      .trim()
      .split(/ +/)
      .slice(1)
      .map(Number);
    return (user + nice + system + irq + softirq + steal) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** Most memory a process has ever held, in MB of 10^6 bytes. */
export function peakRssMb(pid: number): number {
  return statusMb(pid, /VmHWM:\s+(\d+) kB/);
}

/** What it holds now. */
export function rssMb(pid: number): number {
  return statusMb(pid, /VmRSS:\s+(\d+) kB/);
}

function statusMb(pid: number, line: RegExp): number {
  try {
    const match = line.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return match === null ? Number.NaN : (Number(match[1]) * 1024) / 1e6;
  } catch {
    return Number.NaN;
  }
}
