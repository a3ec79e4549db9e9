import { verifyImports as verify, type ImportedCrd } from '../../src/compiler/import/index.ts';
import { generateManifests } from '../../src/compiler/manifests/generate-manifests.ts';

/** As `op-sdk import crd` verifies. */
export const verifyImports = (imports: readonly ImportedCrd[]): ReturnType<typeof verify> =>
  verify(imports, (projectDir, texts) =>
    generateManifests({ projectDir, apisDir: '.', only: 'crd', texts }).files.map(({ document }) => document),
  );
