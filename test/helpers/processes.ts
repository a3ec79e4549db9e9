import { access, readFile } from 'node:fs/promises';

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

/** Whether there is a file or folder of that path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
