import { access, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isOpSdkError, OpSdkError, type Finding } from '../../../../errors/index.ts';
import type { WantedFile } from '../../../../scaffold/index.ts';
import { errnoOf, errnoText } from '../../../../util/fs.ts';
import { stageSources } from './stage-sources.ts';

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
  const stage = await inTemporaryFolder(() => mkdtemp(join(tmpdir(), 'op-sdk-stage-')));
  try {
    await inTemporaryFolder(() => fillStage(stage, root, files));
    const generated = generateManifests({ projectDir: stage });
    return { files: await renderManifests(generated.files), warnings: generated.warnings };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function fillStage(stage: string, root: string, files: readonly WantedFile[]): Promise<void> {
  await stageSources(root, stage);
  const modules = await nearestModules(root);
  // A junction needs no privilege on Windows; elsewhere the type is ignored.
  if (modules !== undefined) await symlink(modules, join(stage, 'node_modules'), 'junction');
  for (const { path, content } of files) {
    await mkdir(dirname(join(stage, path)), { recursive: true });
    await writeFile(join(stage, path), content);
  }
}

async function inTemporaryFolder<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isOpSdkError(error) || errnoOf(error) === undefined) throw error;
    throw new OpSdkError(
      {
        code: 'io/cannot-write',
        message: `the folder for temporary files cannot be written to: ${errnoText(error)}`,
        where: { file: tmpdir() },
        fix: ['make room in it and see that it can be written to, or name another one with TMPDIR'],
      },
      { cause: error },
    );
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
