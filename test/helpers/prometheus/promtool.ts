import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePrometheus } from '../../../scripts/lib/test-programs.mjs';

/**
 * Has promtool check files of a kind.
 * @param kind of all files. Of a configuration, the syntax alone is checked: the files that it names are those of a Pod.
 * @throws Error with what it says of a file that is wrong
 */
export async function promtoolCheck(kind: 'config' | 'rules', texts: readonly string[]): Promise<void> {
  const program = join(await ensurePrometheus(), 'promtool');
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-promtool-'));
  try {
    const files = texts.map((_, index) => join(folder, `${index}.yaml`));
    await Promise.all(files.map((file, index) => writeFile(file, texts[index] ?? '')));
    const flags = kind === 'config' ? ['--syntax-only'] : [];
    await promisify(execFile)(program, ['check', kind, ...flags, ...files]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
