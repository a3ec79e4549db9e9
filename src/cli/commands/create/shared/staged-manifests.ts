import { access, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Finding } from '../../../../errors/index.ts';
import type { WantedFile } from '../../../../scaffold/index.ts';

/** Folders that hold nothing to generate manifests from. */
const skipped = new Set(['node_modules', 'dist', 'coverage', '.git']);

/** The generated manifests as they will be, and what is to be said about them. */
export interface StagedManifests {
  readonly files: readonly WantedFile[];
  readonly warnings: readonly Finding[];
}

/**
 * Generates the manifests of a project as it will be with these files, before any of them is written: the generator reads
 * from disk, so a copy of the project is made in a temporary folder.
 * @throws OpSdkError with all findings in the sources
 */
export async function stagedManifests(root: string, files: readonly WantedFile[]): Promise<StagedManifests> {
  const { generateManifests } = await import('../../../../manifests/index.ts');
  const { renderManifests } = await import('../../generate/shared/manifest-changes.ts');
  const stage = await mkdtemp(join(tmpdir(), 'op-sdk-stage-'));
  try {
    await cp(root, stage, {
      recursive: true,
      filter: (path) => path === root || !skipped.has(basename(path)),
    });
    const modules = await nearestModules(root);
    // A junction needs no privilege on Windows; elsewhere the type is ignored.
    if (modules !== undefined) await symlink(modules, join(stage, 'node_modules'), 'junction');
    for (const { path, content } of files) {
      await mkdir(dirname(join(stage, path)), { recursive: true });
      await writeFile(join(stage, path), content);
    }
    const generated = generateManifests({ projectDir: stage });
    return { files: await renderManifests(generated.files), warnings: generated.warnings };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** The `node_modules` that the project's imports are resolved in; in a workspace it may belong to a folder above. */
async function nearestModules(folder: string): Promise<string | undefined> {
  const modules = join(folder, 'node_modules');
  try {
    await access(modules);
    return modules;
  } catch {
    const above = dirname(folder);
    return above === folder ? undefined : nearestModules(above);
  }
}
