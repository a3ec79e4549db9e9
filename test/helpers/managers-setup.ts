import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packPackage } from '../../scripts/lib/nginx-project.mjs';
import { startNpmRegistry } from '../../scripts/lib/npm-registry.mjs';
import { ensurePackageManagers } from '../../scripts/lib/package-managers.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The world of the rung `managers`. */
    managers?: {
      /** A folder of this run. */
      readonly folder: string;
      /** The packed package, a prerelease. */
      readonly tarball: string;
      /** A registry in which the package is published as a release. */
      readonly registry: string;
      /** The folder with the commands of the package managers. */
      readonly tools: string;
    };
  }
}

/** Global set-up of the managers rung. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-managers-')));
  const tarball = await packPackage(join(folder, 'package'));
  const tools = await ensurePackageManagers();
  const published = [releaseOf(tarball, join(folder, 'release')), windowsOnly(join(folder, 'stub'))];
  const registry = await startNpmRegistry({ published });
  project.provide('packed', { folder, tarball });
  project.provide('managers', { folder, tarball, registry: registry.url, tools });
  return async () => {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Packs the content of a tarball again, with the version of a release. */
function releaseOf(tarball: string, folder: string): string {
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  const file = join(folder, 'package', 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  writeFileSync(file, JSON.stringify({ ...manifest, version: manifest.version.replace(/-.*/, '') }));
  return pack(join(folder, 'package'), folder);
}

/** A package that vite names for Windows. Yarn reads the metadata of all platforms, and not every registry has this one. */
function windowsOnly(folder: string): string {
  mkdirSync(folder);
  const manifest = { name: 'napi-windows-process-start-time', version: '0.1.0', os: ['win32'] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return pack(folder, folder);
}

function pack(cwd: string, to: string): string {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to];
  return join(to, execFileSync('npm', args, { cwd, encoding: 'utf8' }).trim());
}
