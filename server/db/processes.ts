import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { hasCode } from '../file-system.ts';

interface ProcessFacts {
  name: string;
  /** It has ended, but its parent has not collected it yet. */
  zombie: boolean;
  /** Tells apart two processes that had the same pid at different times, also across restarts of the machine. */
  startedAt: string;
}

/** Whether the process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return false;
  }
  return !inspectProcess(pid)?.zombie;
}

/** What the system says about a process; null when there is none, or when it is hidden from this user. */
export function inspectProcess(pid: number): ProcessFacts | null {
  try {
    return process.platform === 'linux' ? readProc(pid) : askPs(pid);
  } catch {
    return null;
  }
}

/** The working directory of a process; null where the system does not tell. */
export function workingDirectory(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function readProc(pid: number): ProcessFacts {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // "pid (name) state …": the name may itself hold brackets and spaces (proc_pid_stat(5)).
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    // Field 22, clock ticks since boot; fields[0] is field 3.
    startedAt: `${bootId}:${fields[19]}`,
  };
}

function askPs(pid: number): ProcessFacts | null {
  const line = execFileSync('/bin/ps', ['-o', 'state=,lstart=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parts = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(.+)$/.exec(line.trim());
  if (!parts?.[1] || !parts[2] || !parts[3]) return null;
  return { name: basename(parts[3]), zombie: parts[1].startsWith('Z'), startedAt: parts[2] };
}
