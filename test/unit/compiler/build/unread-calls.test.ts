import type { Metafile } from 'esbuild';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unreadCalls } from '../../../../src/compiler/build/read-manifests.ts';
import { lines } from '../manifests/fixture.ts';
import { projectFolder } from '../manifests/project-folder.ts';

const loading = `import { loadManifest } from 'opsdk';\nexport const web = loadManifest(Deployment, 'assets/web.yaml');\n`;
const files = {
  'src/main.ts': loading,
  'src/web.js': loading,
  'src/words.js': `console.log('loadManifest of another package');\n`,
  'node_modules/shared/index.ts': loading,
  'node_modules/opsdk/src/runtime/manifest.ts': loading,
};
const folder = projectFolder({ 'src/main.ts': loading });
for (const [path, content] of Object.entries(files))
  if (!path.startsWith('node_modules/opsdk/')) folder.write(path, content);
afterAll(() => folder.remove());

test('calls of loadManifest in JavaScript and in packages, where none is read, are refused', () => {
  const inputs = Object.fromEntries([...Object.keys(files), 'manifest:web'].map((path) => [path, {}]));
  const read = new Set([join(folder.dir, 'src/main.ts')]);
  const own = [join(folder.dir, 'node_modules/opsdk')];
  const found = lines(unreadCalls({ inputs, outputs: {} } as Metafile, folder.dir, read, own));
  const message =
    'uses loadManifest, but op-sdk reads calls of loadManifest only in TypeScript files of the project';
  expect(found).toEqual([
    `build/invalid-manifest-call src/web.js src/web.js ${message}`,
    `build/invalid-manifest-call node_modules/shared/index.ts node_modules/shared/index.ts ${message}`,
  ]);
});
