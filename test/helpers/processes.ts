import { execFile } from 'node:child_process';
import { access, copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Whether a process runs; one that has ended but was not collected by its parent (a zombie) does not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return !/\) Z /.test(status);
}

/** Puts the guardian's program beside a bundle of our code, which starts it by its path. */
export async function copyGuardianProgram(folder: string): Promise<void> {
  const program = fileURLToPath(new URL('../../src/base/process/guardian-program.js', import.meta.url));
  await copyFile(program, join(folder, 'guardian-program.js'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
}

/** Whether there is a file or folder of that path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

export interface RunningProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** The running processes with this text on their command line. */
export async function processesWith(text: string): Promise<readonly RunningProcess[]> {
  const all = (await exists('/proc/self/cmdline')) ? await processesOfLinux() : await processesOfPs();
  return all.filter(({ commandLine }) => commandLine.includes(text));
}

async function processesOfLinux(): Promise<readonly RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => ({
      pid,
      // Empty for one that has ended since.
      commandLine: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
    })),
  );
}

async function processesOfPs(): Promise<readonly RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, commandLine] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined || commandLine === undefined ? [] : [{ pid: Number(pid), commandLine }];
  });
}
