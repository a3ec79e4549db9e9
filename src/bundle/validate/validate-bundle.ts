import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { isOpSdkError, OpSdkError, type Finding } from '../../errors/index.ts';
import { fieldAt, textOf } from './fields.ts';
import { annotationOf, annotationKeys, checkAnnotations } from './check-annotations.ts';
import { checkDependencies, checkProperties } from './check-dependencies.ts';
import { checkDockerfile } from './check-dockerfile.ts';
import { checkBundleObjects } from './check-objects.ts';
import { checkOwnedCrds } from './check-owned-crds.ts';
import { checkBundleSize } from './check-size.ts';
import { collectFindings, type FindingCollector } from './collect-findings.ts';
import { checkCrds } from './crd/check-crds.ts';
import { checkDeployments } from './csv/check-deployments.ts';
import { checkExamples } from './csv/check-examples.ts';
import { checkIdentity } from './csv/check-identity.ts';
import { checkInstallModes } from './csv/check-install-modes.ts';
import { checkShape } from './csv/check-shape.ts';
import { checkWebhooks } from './csv/check-webhooks.ts';
import { loadBundle } from './load-bundle.ts';
import type { Check, LoadedBundle } from './types.ts';

export interface ValidateOptions {
  /** The folder that `dir` and the places of findings are relative to. Default: the process's own. */
  readonly cwd?: string;
}

/** What is to be said of a bundle. It is valid if there are no errors. */
export interface BundleVerdict {
  /** `metadata.name` of the ClusterServiceVersion; undefined without one. */
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly packageName: string | undefined;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** In the order of operator-sdk: the format first, then the contents. */
const checks: readonly Check[] = [
  checkAnnotations,
  checkDependencies,
  checkProperties,
  checkBundleObjects,
  checkOwnedCrds,
  checkShape,
  checkIdentity,
  checkExamples,
  checkInstallModes,
  checkDeployments,
  checkWebhooks,
  checkCrds,
];

/**
 * Checks a bundle of OLM, all of it: its folders and annotations, the labels of its Dockerfile, its objects, the
 * ClusterServiceVersion, the CustomResourceDefinitions, and what they say of one another. Reads files only.
 *
 * @param dir the folder that holds `manifests/` and `metadata/`
 * @throws OpSdkError `bundle/not-a-folder`
 */
export async function validateBundle(dir: string, options: ValidateOptions = {}): Promise<BundleVerdict> {
  const cwd = resolve(options.cwd ?? '.');
  const path = resolve(cwd, dir);
  await checkIsFolder(dir, path);
  const collector = collectFindings();
  const shown = relative(cwd, path);
  const bundle = await loadBundle(path, shown === '' ? '.' : shown, collector);
  if (bundle !== undefined) {
    for (const check of checks) check(bundle, collector);
    await reporting(collector, () => checkDockerfile(bundle, collector));
    await reporting(collector, () => checkBundleSize(bundle, collector));
  }
  return { ...identityOf(bundle), ...collector.finish() };
}

async function checkIsFolder(dir: string, path: string): Promise<void> {
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isDirectory() === true) return;
  const looksLikeImage =
    entry === undefined && /^[\w.-]+(?::\d+)?(?:\/[\w./-]+)*(?::[\w.-]+|@sha256:\w+)$/.test(dir);
  throw new OpSdkError({
    code: 'bundle/not-a-folder',
    message: looksLikeImage
      ? `${dir} is not a folder; if it is an image, check the folder that it was built from`
      : `${dir} ${entry === undefined ? 'does not exist' : 'is not a folder'}`,
    where: { flag: 'DIR' },
    fix: ['name the folder that holds manifests/ and metadata/: op-sdk bundle validate bundle'],
  });
}

/** A file that cannot be read is a finding among the others. */
async function reporting(collector: FindingCollector, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    collector.addErrors(error.findings);
  }
}

function identityOf(
  bundle: LoadedBundle | undefined,
): Pick<BundleVerdict, 'name' | 'version' | 'packageName'> {
  const text = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
  return {
    name: text(bundle?.csv?.name),
    version: text(textOf(fieldAt(bundle?.csv?.value, 'spec', 'version'))),
    packageName: bundle === undefined ? undefined : annotationOf(bundle, annotationKeys.package),
  };
}
