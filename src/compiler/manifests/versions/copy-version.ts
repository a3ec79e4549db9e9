import { formatWhere } from '../../../base/errors/format.ts';
import type { FindingList } from '../../../base/errors/index.ts';
import { relativeImport } from '../../../project/project/index.ts';
import { applyTextEdits, relativeImports, textsIn, type TextEdit } from '../../source/index.ts';
import type { VersionSource, VersionSources } from './version-sources.ts';

export interface CopyRequest {
  readonly from: VersionSource;
  readonly version: string;
  /** Where the copy will be: relative to the project, with forward slashes. */
  readonly file: string;
  /** True if objects are stored in the new version. */
  readonly storage: boolean;
}

/**
 * The source of a further version: that of an existing one with the version changed wherever it is written, and relative imports that
 * lead from the new place to the same files. What was said of the old version alone (`served`, `storage`, `deprecated`) is left out.
 *
 * @returns undefined if there were findings: the version is not written where it can be changed, or the file declares other kinds, too
 */
export function copyVersion(
  findings: FindingList,
  { program, versions }: VersionSources,
  { from, version, file, storage }: CopyRequest,
): string | undefined {
  const { text, edits, declaration } = from;
  const before = findings.all.length;
  for (const other of versions) {
    if (other.file !== from.file || other === from) continue;
    findings.add({
      code: 'project/cannot-copy',
      message: `${from.file} declares more than ${from.version} of ${from.kind}: a copy would declare ${other.version} of ${other.kind} again`,
      where: other.declaration.place,
      fix: [`move ${from.kind} of ${from.version} into a file of its own, and correct \`path\` in PROJECT`],
    });
  }
  const versionEdit = edits.setText('version', version);
  if (versionEdit === undefined)
    findings.add({
      code: 'project/cannot-copy',
      message: `the version of ${from.kind} is not a string in its defineResource, so that a copy cannot get another`,
      where: declaration.version.place,
      fix: [
        `write \`version: '${from.version}'\` in the call of defineResource (${formatWhere(declaration.place)})`,
      ],
    });
  const own = storage ? ['served', 'deprecated'] : ['served', 'deprecated', 'storage'];
  const removed = [
    ...own.flatMap((name) => edits.remove(name)),
    ...edits.removeNested('crd', 'versionOrder'),
  ];
  const stored = storage ? edits.set('storage', 'true') : undefined;
  if (
    (declaration.storage !== undefined && edits.remove('storage').length === 0) ||
    (storage && stored === undefined)
  )
    findings.add({
      code: 'project/cannot-copy',
      message: `\`storage\` of ${from.kind} is not written in its defineResource, so that it cannot be changed in a copy`,
      where: declaration.storage?.place ?? declaration.place,
      fix: [`write it in the call of defineResource (${formatWhere(declaration.place)})`],
    });
  if (findings.all.length > before || versionEdit === undefined) return undefined;
  const group = from.group;
  const literals = textsIn(program, from.file, text, `${group}/${from.version}`).map(
    ({ start, end }): TextEdit => ({ start, end, text: `${group}/${version}` }),
  );
  const imports = relativeImports(program.ts, from.file, text).map(({ start, end, target }): TextEdit => ({
    start,
    end,
    text: relativeImport(file, target),
  }));
  return applyTextEdits(text, [
    versionEdit,
    ...literals,
    ...imports,
    ...removed,
    ...(stored === undefined ? [] : [stored]),
  ]);
}
