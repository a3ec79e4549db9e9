import { relative, resolve } from 'node:path';
import { isOpSdkError, OpSdkError } from '../../../base/errors/index.ts';
import { statsAt } from '../../../base/util/fs.ts';
import { annotationKeys, annotationOf } from './annotations.ts';
import { fieldAt, textOf } from './fields.ts';
import { collectFindings, type BundleResult, type FindingCollector } from './findings/collect-findings.ts';
import { loadBundle } from './load-bundle.ts';
import { defaultValidators, validatorNames, type ValidatorName } from './rules/validators.ts';
import type { LoadedBundle, Settings } from './types.ts';
import { checksOf } from './rules/index.ts';

export interface ValidateOptions {
  /** Folder to which `dir` and the file paths in findings are relative. Default: the current directory of the process. */
  readonly cwd?: string;
  /** Path of the bundle's folder as it appears in findings. Default: the path of the folder relative to `cwd`. */
  readonly shown?: string;
  /** Optional validators to run in addition to the default validators. Default: none. */
  readonly optional?: readonly ValidatorName[];
  readonly settings?: Partial<Omit<Settings, 'cwd' | 'selected'>>;
}

export interface BundleVerdict {
  /** Path of the bundle's folder as it appears in findings. */
  readonly dir: string;
  /** `metadata.name` of the ClusterServiceVersion; undefined if the bundle has no ClusterServiceVersion. */
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly packageName: string | undefined;
  /** Findings of all validators. A finding that several validators report occurs once for each of these validators. */
  readonly results: readonly BundleResult[];
  /** The bundle that was read; undefined if none of the bundle's folders could be read. */
  readonly bundle: LoadedBundle | undefined;
}

/**
 * Checks all parts of an OLM bundle: its folders and annotations, the labels of its Dockerfile, its objects, the ClusterServiceVersion, the
 * CustomResourceDefinitions, and the references between these parts. Only reads files and does not change them.
 * @param dir the folder that contains `manifests/` and `metadata/`
 * @throws OpSdkError `bundle/not-a-folder`
 */
export async function validateBundle(dir: string, options: ValidateOptions = {}): Promise<BundleVerdict> {
  const cwd = resolve(options.cwd ?? '.');
  const path = resolve(cwd, dir);
  await checkIsFolder(dir, path);
  const collector = collectFindings();
  const relativePath = relative(cwd, path);
  const shown = options.shown ?? (relativePath === '' ? '.' : relativePath);
  const bundle = await reporting('format', collector, () => loadBundle(path, shown, collector));
  if (bundle !== undefined) {
    const selected: ReadonlySet<ValidatorName> = new Set([...defaultValidators, ...(options.optional ?? [])]);
    const settings = {
      kubeVersion: '',
      indexPath: '',
      categoriesFile: '',
      platformsOf: noRegistry,
      ...options.settings,
      cwd,
      selected,
    };
    for (const validator of validatorNames)
      if (selected.has(validator)) await runValidator(validator, bundle, collector, settings);
  }
  return { dir: shown, ...identityOf(bundle), results: collector.finish(), bundle };
}

/** Default for the setting `platformsOf`. Always throws, so that no registry is contacted unless the caller sets `platformsOf`. */
async function noRegistry(image: string): Promise<never> {
  throw new OpSdkError({
    code: 'bundle/image-not-inspected',
    message: 'op-sdk was not allowed to ask a registry',
    where: { object: image },
  });
}

/**
 * Returns true if a bundle passes validation. By default, a bundle passes if operator-framework's validators report no errors. With
 * `strict`, a bundle passes only if no validator reports an error or a warning about it. The warning that a validator of `all` is
 * deprecated does not count, because it concerns the command, not the bundle.
 */
export function passes({ results }: Pick<BundleVerdict, 'results'>, strict: boolean): boolean {
  return strict
    ? results.every(({ rule }) => rule === 'bundle/deprecated-validator')
    : !results.some(({ level, validator }) => level === 'error' && validator !== 'opsdk');
}

async function runValidator(
  validator: ValidatorName,
  bundle: LoadedBundle,
  collector: FindingCollector,
  settings: Settings,
): Promise<void> {
  for (const check of checksOf(validator))
    await reporting(validator, collector, async () => check(bundle, collector.of(validator), settings));
}

/** Runs a check. If the check cannot read a file, adds the error as a finding. */
async function reporting<T>(
  validator: ValidatorName,
  collector: FindingCollector,
  check: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    collector.add(validator, 'error', error.findings);
    return undefined;
  }
}

async function checkIsFolder(dir: string, path: string): Promise<void> {
  const entry = await statsAt(path);
  if (entry?.isDirectory() === true) return;
  throw new OpSdkError({
    code: 'bundle/not-a-folder',
    message: `${dir} ${entry === undefined ? 'does not exist' : 'is not a folder'}`,
    where: { flag: 'DIR' },
    fix: [
      'name the folder that holds manifests/ and metadata/: op-sdk bundle validate bundle',
      'or an image with its registry: op-sdk bundle validate registry.example.com/team/bundle:v0.1.0',
    ],
  });
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
