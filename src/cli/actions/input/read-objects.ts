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

/** Limit of files in a folder; a folder with more is most likely the wrong one. */
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
 * The objects of files, of folders (all YAML and JSON files below them) and of standard input, for `-f`.
 * @param names relative to the folder of the command, or absolute; `-` is standard input
 * @throws OpSdkError with what is wrong in all of them
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
    // Not as arguments of `push`, whose number the stack bounds.
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
          // A pipe that is named is what `<(command)` of a shell gives; one in a folder would be waited for without end.
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
