import { stat, readdir } from 'node:fs/promises';
import { resolve, join } from 'node:path';
import { isOpSdkError, OpSdkError, FindingList } from '../../../base/errors/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import {
  YamlBudget,
  readYamlFile,
  readRegularYamlFile,
  type PlacedObject,
  readManifest,
} from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';

/**
 * Maximum number of files in a folder that an argument names. A folder with more files is most likely not the folder that the user meant.
 */
const MOST_FILES = 5000;

async function filesOf(cwd: string, flag: string, name: string): Promise<readonly string[]> {
  try {
    if (!(await stat(resolve(cwd, name))).isDirectory()) return [name];
    const entries = await readdir(resolve(cwd, name), { withFileTypes: true });
    const nested = await Promise.all(
      entries
        .map((entry) => ({ entry, path: join(name, entry.name) }))
        .map(async ({ entry, path }) => {
          if (entry.isDirectory()) return filesOf(cwd, flag, path);
          return /\.(?:ya?ml|json)$/.test(entry.name) ? [path] : [];
        }),
    );
    return nested.flat().sort();
  } catch (error) {
    if (isOpSdkError(error)) throw error;
    throw new OpSdkError(
      {
        code: 'io/not-found',
        message: `${flag} ${name} cannot be read: ${errnoText(error)}`,
        where: { flag },
        fix: ['name a file, a folder, or - for standard input'],
      },
      { cause: error },
    );
  }
}

/**
 * Reads the objects for `-f` from files, from folders (all YAML and JSON files in them and their subfolders) and from standard input.
 * @param names paths, absolute or relative to the working directory; `-` is standard input
 * @throws OpSdkError with the findings of all files
 */
export async function readObjects(
  context: CliContext,
  flag: string,
  names: readonly string[],
): Promise<readonly PlacedObject[]> {
  const findings = new FindingList();
  const objects: PlacedObject[] = [];
  const budget = new YamlBudget();
  const collect = async (read: () => Promise<readonly PlacedObject[]>): Promise<void> => {
    // The objects are pushed one by one, because the size of the stack limits the number of arguments of one `push`.
    for (const object of (await findings.gather(read)) ?? []) objects.push(object);
  };
  for (const name of [...new Set(names)]) {
    if (name === '-') {
      await collect(async () => readManifest(await context.readStdin(), '-', { budget }));
      continue;
    }
    await collect(async () => {
      const files = await filesOf(context.cwd, flag, name);
      if (files.length > MOST_FILES)
        throw new OpSdkError({
          code: 'io/too-large',
          message: `${name} holds ${files.length} files; up to ${MOST_FILES} are read`,
          where: { flag },
          fix: ['name the folder of the manifests'],
        });
      for (const file of files) {
        await collect(async () => {
          // A pipe may be named as an argument, as with `<(command)` in a shell. A pipe found in a folder is refused, because reading it
          // could wait forever.
          const read = file === name ? readYamlFile : readRegularYamlFile;
          const text = await read(resolve(context.cwd, file), file, budget.left('bytes'));
          return readManifest(text, file, { budget });
        });
      }
      return [];
    });
  }
  findings.throwIfAny();
  return objects;
}
