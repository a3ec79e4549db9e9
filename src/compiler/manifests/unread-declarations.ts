import path from 'node:path';
import type { Finding } from '../../base/errors/index.ts';
import { diskView, type FileView } from '../../base/util/file-view.ts';
import { otherScripts } from './source-files.ts';

/** Declarations in JavaScript or JSX: they are not read, and their permissions or kinds would be missing without a word. */
export function unreadDeclarations(
  projectDir: string,
  folder: string,
  files: FileView = diskView,
): readonly Finding[] {
  return otherScripts(path.join(projectDir, folder), files).flatMap((file): readonly Finding[] => {
    const text = files.readFile(file) ?? '';
    const name = /\b(?:defineResource|defineController|defineWebhook|defineConversion|rbac)\b/.exec(
      text,
    )?.[0];
    if (name === undefined || !/['"]opsdk['"]/.test(text)) return [];
    return [
      {
        code: 'manifests/unread-file',
        message: `the file uses ${name}, but declarations are read in .ts files only`,
        where: { file: path.relative(projectDir, file).split(path.sep).join('/') },
        fix: ['move the declaration into a .ts file'],
      },
    ];
  });
}
