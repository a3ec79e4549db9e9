import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packPackage } from '../../scripts/lib/nginx-project.mjs';
import { startNpmRegistry } from '../../scripts/lib/npm-registry.mjs';
import { ensurePackageManagers } from '../../scripts/lib/package-managers.mjs';
import { packFolder, packRelease } from '../../scripts/lib/release-packages.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The world of the rung `managers`. */
    managers?: {
      /** A folder of this run. */
      readonly folder: string;
      /** The packed package, a prerelease. */
      readonly tarball: string;
      /** A registry in which the package and `create-opsdk` are published as a release. */
      readonly registry: string;
      /** The folder with the commands of the package managers. */
      readonly tools: string;
      /** The folder with the command of Yarn 1. */
      readonly classicYarn: string;
    };
  }
}

/** Global set-up of the managers rung. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-managers-')));
  const tarball = await packPackage(join(folder, 'package'));
  const managers = await ensurePackageManagers();
  const { opsdk, create } = await packRelease({ folder: join(folder, 'release') });
  const registry = await startNpmRegistry({
    published: [opsdk, create, await windowsOnly(join(folder, 'stub'))],
  });
  project.provide('packed', { folder, tarball });
  project.provide('managers', { folder, tarball, registry: registry.url, ...managers });
  return async () => {
    await registry.close();
    // Removing gigabytes takes a while, in which vitest ends its workers.
    await rm(folder, { recursive: true, force: true });
  };
}

/** A package that vite names for Windows. Yarn reads the metadata of all platforms, and not every registry has this one. */
function windowsOnly(folder: string): Promise<string> {
  mkdirSync(folder);
  const manifest = { name: 'napi-windows-process-start-time', version: '0.1.0', os: ['win32'] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return packFolder(folder, folder);
}
