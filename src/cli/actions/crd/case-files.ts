import { join, relative, resolve } from 'node:path';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import type { FileView } from '../../../base/util/observe-files.ts';
import { layout } from '../../../project/project/index.ts';
import { readCases, type CrdCase } from '../../../testing/index.ts';

const isYaml = /\.ya?ml$/;

/**
 * Reads the cases of files and folders.
 * @param names files, and folders that are searched with the folders in them, relative to `cwd`. Default: the folders in `test/crds`; the
 * files beside these folders are definitions of others
 * @throws OpSdkError `crdtest/no-cases`, `crdtest/invalid-case`, `io/not-found`
 */
export function readCaseFiles(cwd: string, names: readonly string[], files: FileView): readonly CrdCase[] {
  const findings = new FindingList();
  const paths = names.length > 0 ? namedFiles(cwd, names, files, findings) : groupFiles(cwd, files);
  const cases = paths.flatMap((path) => {
    const file = relative(cwd, path).replaceAll('\\', '/');
    const text = files.readFile(path);
    if (text === undefined)
      findings.add({ code: 'io/cannot-read', message: `cannot read ${file}`, where: { file } });
    return findings.gatherSync(() => readCases(text ?? '', file)) ?? [];
  });
  findings.throwIfAny();
  if (cases.length > 0) return cases;
  throw new OpSdkError({
    code: 'crdtest/no-cases',
    message:
      names.length > 0
        ? `no case in ${names.join(', ')}`
        : `no case in the folders of ${layout.externalCrds}`,
    fix: [`write cases into ${layout.externalCrds}/GROUP/KIND.yaml`],
  });
}

function namedFiles(
  cwd: string,
  names: readonly string[],
  files: FileView,
  findings: FindingList,
): readonly string[] {
  return names.flatMap((name) => {
    const path = resolve(cwd, name);
    if (files.directoryExists(path)) return filesBelow(path, files);
    if (files.fileExists(path)) return [path];
    findings.add({
      code: 'io/not-found',
      message: 'the file or folder does not exist',
      where: { file: name },
    });
    return [];
  });
}

function groupFiles(cwd: string, files: FileView): readonly string[] {
  const folder = resolve(cwd, layout.externalCrds);
  if (!files.directoryExists(folder)) return [];
  return files
    .list(folder)
    .filter(({ kind }) => kind === 'folder')
    .flatMap(({ name }) => filesBelow(join(folder, name), files));
}

/** Returns the YAML files in a folder and the folders in it, in order. Links to folders are not followed. */
function filesBelow(folder: string, files: FileView): readonly string[] {
  return files.list(folder).flatMap(({ name, kind }) => {
    const path = join(folder, name);
    if (kind === 'folder') return filesBelow(path, files);
    return isYaml.test(name) ? [path] : [];
  });
}
