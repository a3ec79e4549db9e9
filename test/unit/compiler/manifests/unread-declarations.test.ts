import { afterEach, expect, test } from 'vitest';
import { unreadDeclarations } from '../../../../src/compiler/manifests/declarations.ts';
import { projectFolder, type ProjectFolder } from './project-folder.ts';

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

const declaration = `import { rbac } from 'opsdk';\nexport const permissions = rbac([]);\n`;

test.each(['src/permissions.js', 'src/deep/permissions.mjs', 'src/view.tsx'])(
  '%s is not read, and refused',
  (file) => {
    folder = projectFolder({ [file]: declaration });
    expect(unreadDeclarations(folder.dir, 'src')).toMatchObject([
      { code: 'manifests/unread-file', where: { file } },
    ]);
  },
);

test.each(['src/permissions.ts', 'src/permissions.test.js', 'dist/permissions.js'])(
  '%s is nobody to complain about',
  (file) => {
    folder = projectFolder({ [file]: declaration });
    expect(unreadDeclarations(folder.dir, 'src')).toEqual([]);
  },
);

test('a script that declares nothing may stand there', () => {
  folder = projectFolder({ 'src/tool.js': `import { createLogger } from 'opsdk';\ncreateLogger();\n` });
  expect(unreadDeclarations(folder.dir, 'src')).toEqual([]);
});
