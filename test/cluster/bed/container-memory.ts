import { readdirSync, readFileSync } from 'node:fs';

/** The resident memory in MB of each process whose command line contains a text. Containers share the bed's process ids. */
export function residentMegabytes(commandLine: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return command.includes(commandLine) && kilobytes !== undefined ? [Number(kilobytes) / 1024] : [];
      } catch {
        // It has ended.
        return [];
      }
    });
}
