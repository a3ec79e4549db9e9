import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Finding, FindingList } from '../base/errors/index.ts';
import { errnoOf, errnoText } from '../base/util/fs.ts';

/** The text of a YAML or JSON file. */
export interface ManifestFile {
  readonly file: string;
  readonly text: string;
  /** True if the caller named this file itself; false if it was found in a folder. */
  readonly named: boolean;
}

const extensions = new Set(['.yaml', '.yml', '.json']);

/** Reads YAML and JSON files, and those in folders (not recursive, in order of their names); what cannot be read goes to the findings. */
export async function readManifestFiles(
  paths: readonly string[],
  findings: FindingList,
): Promise<readonly ManifestFile[]> {
  const found: ManifestFile[] = [];
  for (const path of paths) {
    for (const { file, named } of await filesOf(path, findings)) {
      const text = await readText(file, findings);
      if (text !== undefined) found.push({ file, text, named });
    }
  }
  return found;
}

async function filesOf(
  path: string,
  findings: FindingList,
): Promise<readonly { readonly file: string; readonly named: boolean }[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [{ file: path, named: true }];
    const names = (await readdir(path)).filter((name) => extensions.has(extname(name))).sort();
    return names.map((name) => ({ file: join(path, name), named: false }));
  } catch (error) {
    findings.add(unreadable(path, error));
    return [];
  }
}

async function readText(file: string, findings: FindingList): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    findings.add(unreadable(file, error));
    return undefined;
  }
}

function unreadable(file: string, error: unknown): Finding {
  const missing = errnoOf(error) === 'ENOENT';
  return {
    code: missing ? 'io/not-found' : 'io/cannot-read',
    message: missing ? 'the file or folder does not exist' : errnoText(error),
    where: { file },
  };
}
