import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readTar, type TarMember } from '../../base/util/read-tar.ts';

/**
 * Writes the wanted files of a tar stream into a folder, executable, whatever folder they are in inside the archive.
 * @param wanted base names
 * @returns the base names that were found
 * @throws Error if the stream is not a tar archive or ends too early
 */
export async function untar(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const member of readTar(stream)) {
    const name = basename(member.path);
    if (member.type !== 'file' || !wanted.has(name)) continue;
    await writeExecutable(join(folder, name), member);
    found.add(name);
  }
  return found;
}

async function writeExecutable(path: string, member: TarMember): Promise<void> {
  const file = await open(path, 'wx', 0o755);
  try {
    // Not `write`, which may write a part only, as when the disk is about to be full.
    for await (const chunk of member.content()) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
