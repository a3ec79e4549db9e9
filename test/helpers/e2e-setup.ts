import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packPackage } from '../../scripts/lib/nginx-project.mjs';

/** Global set-up of the e2e rung: the packed package, and a folder for the projects that are made from it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-e2e-')));
  const tarball = await packPackage(join(folder, 'package'));
  project.provide('packed', { folder, tarball });
  // Removing gigabytes takes a while, in which vitest ends its workers.
  return () => rm(folder, { recursive: true, force: true });
}
