import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readCrds, type CrdDocument } from '../../crd/index.ts';
import { FindingList, isOpSdkError, type Finding } from '../../errors/index.ts';

/** A CRD and the file that it was read from. */
export interface CrdFile {
  readonly file: string;
  readonly crd: CrdDocument;
}

const extensions = new Set(['.yaml', '.yml', '.json']);

/**
 * Reads CRDs from YAML and JSON files, and from folders of them (not recursive), as every command reads them. In a folder everything else
 * is passed over; a file that was named must hold at least one CRD. What the API server has against a CRD it will say itself.
 * @throws OpSdkError with all findings
 */
export async function readCrdFiles(paths: readonly string[]): Promise<readonly CrdFile[]> {
  const findings = new FindingList();
  const found: CrdFile[] = [];
  for (const path of paths) {
    for (const { file, named } of await filesOf(path, findings)) {
      const text = await readText(file, findings);
      if (text === undefined) continue;
      const crds = crdsIn(text, file, findings);
      if (named && text.trim() !== '' && crds?.length === 0)
        findings.add({
          code: 'testenv/invalid-crd',
          message: 'the file holds no CustomResourceDefinition',
          where: { file },
        });
      found.push(...(crds ?? []));
    }
  }
  findings.throwIfAny();
  return found;
}

/** Undefined if the file cannot be read. */
function crdsIn(text: string, file: string, findings: FindingList): readonly CrdFile[] | undefined {
  try {
    return readCrds(text, file).crds.map(({ crd }) => ({ file, crd }));
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.add(...error.findings);
    return undefined;
  }
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
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return {
    code: missing ? 'io/not-found' : 'io/cannot-read',
    message: missing ? 'the file or folder does not exist' : (error as Error).message,
    where: { file },
  };
}
