import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Memory (bytes) and processor time of processes on Linux. Everything throws on other systems. */

/** sysconf(3), _SC_CLK_TCK: 100 on every Linux there is. */
const TICKS_PER_SECOND = 100;

/** Restarts the measurement of `peakMemory`. */
export function resetPeakMemory(pid: number): void {
  // proc_pid_clear_refs(5): 5 resets the peak.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The largest resident set since the process started, or since `resetPeakMemory`. */
export function peakMemory(pid: number): number {
  return readKilobytes(`/proc/${pid}/status`, 'VmHWM');
}

/** The proportional set size: shared memory counts in part. */
export function proportionalMemory(pid: number): number {
  return readKilobytes(`/proc/${pid}/smaps_rollup`, 'Pss');
}

/** Processor time that all threads of a process have used so far, in seconds. */
export function processorSeconds(pid: number): number {
  // proc_pid_stat(5): the name, the second field, may hold spaces; utime and stime are the 14th and 15th.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        return parentOf(candidate) === pid;
      } catch {
        // Ended meanwhile.
        return false;
      }
    });
}

function readKilobytes(file: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'));
  if (!found) throw new Error(`${file} does not tell ${name}.`);
  return Number(found[1]) * 1024;
}
