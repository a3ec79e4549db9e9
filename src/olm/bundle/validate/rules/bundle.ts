import { readdirSync, statSync, type Dirent } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { textOf, fieldAt, listOf, mapOf } from '../fields.ts';
import { groupInName, ownedEntriesIn, ownedPath, type PlacedKind } from '../owned-kinds.ts';
import type { BundleObject } from '../types.ts';
import { annotationKeys, annotationOf } from '../annotations.ts';
import { imageNameProblem } from '../image-name.ts';
import { serviceAccountOf, csvDeployments } from '../csv-fields.ts';
import { OpSdkError } from '../../../../base/errors/index.ts';
import { errnoText } from '../../../../base/util/fs.ts';
import { isLeftover } from '../../../../base/util/folders.ts';
import { MOST_FILES } from '../read-folder.ts';
import { ruleModule, type BundleRules, type Check } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/owned-crd-missing': {
    validators: { bundle: 'error' },
    title: 'An owned kind is not in the bundle',
    explain:
      'Each entry of spec.customresourcedefinitions.owned needs a CustomResourceDefinition in the bundle that has this kind and this version.',
  },
  'bundle/crd-not-owned': {
    validators: { bundle: 'error' },
    title: 'A kind of the bundle is not owned',
    explain:
      'OLM would install the CustomResourceDefinition without knowing that it belongs to the operator. Every CustomResourceDefinition of the bundle is listed in spec.customresourcedefinitions.owned.',
  },
  'bundle/service-account-clash': {
    validators: { bundle: 'error' },
    title: 'The bundle contains a ServiceAccount that OLM creates itself',
    explain:
      'OLM creates the ServiceAccounts that the deployments of the ClusterServiceVersion run as. A ServiceAccount of that name among the files would clash with it.',
  },
  'bundle/too-large': {
    validators: { bundle: 'error' },
    title: 'The bundle is too large',
    explain:
      'OLM unpacks a bundle into a ConfigMap, which holds 1 MiB. Each file counts compressed and in base64. Of `op-sdk generate bundle`: an object has more than the 3 MiB that the API server takes, or there are more than 2,000 of them.',
  },
  'bundle/nearly-too-large': {
    validators: { bundle: 'warning' },
    title: 'The bundle will soon be too large',
    explain:
      'OLM unpacks a bundle into a ConfigMap, which holds 1 MiB. The next field of a CRD may be too much.',
  },
  'bundle/release-name': {
    validators: { bundle: 'error' },
    title: 'The name of the ClusterServiceVersion does not name its release',
    explain: 'With spec.release, the name is <package>-v<version>-<release>.',
  },
  'bundle/invalid-image': {
    validators: { bundle: 'error' },
    title: 'The name of an image is not valid',
    explain:
      'Images are named [registry/]repository[:tag][@digest], without a scheme, with the repository in lower case.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

const showKind = ({ group, version, kind }: PlacedKind): string => `${group}/${version} ${kind}`;

/** Returns the group, version and kind as one text, for comparisons. */
const kindId = ({ group, version, kind }: Pick<PlacedKind, 'group' | 'version' | 'kind'>): string =>
  JSON.stringify([group, version, kind]);

/**
 * Checks that the CRDs of the bundle match `spec.customresourcedefinitions.owned`. Source: operator-framework/api
 * `pkg/validation/internal/bundle.go` `validateOwnedCRDs`.
 */
const checkOwnedCrds: Check<Rules, 'bundle'> = (bundle, { error }) => {
  const { csv } = bundle;
  if (csv === undefined) return;
  // Put CRDs of apiVersion v1 before those of older apiVersions, because OLM reads them in this order.
  const crds = [...bundle.crds].sort((a, b) => Number(isOld(a)) - Number(isOld(b)));
  const defined = new Map<string, PlacedKind>();
  for (const kind of crds.flatMap(versionsOf)) {
    if (defined.has(kindId(kind)))
      error(
        'bundle/duplicate-crd',
        [kind.object, kind.path],
        `the bundle defines ${showKind(kind)} twice`,
        'remove one of the two',
      );
    defined.set(kindId(kind), kind);
  }
  const left = new Map(defined);
  const ownedNames = new Set<string>();
  for (const kind of ownedKinds(csv)) {
    // Remove a CRD's kind once an owned entry matches it, so that a duplicate entry matches nothing.
    if (left.delete(kindId(kind))) {
      ownedNames.add(nameOf(kind));
      continue;
    }
    // Skip the check if a file could not be read, because that file may define the kind.
    if (!bundle.complete) continue;
    const elsewhere = [...defined.values()].filter((other) => nameOf(other) === nameOf(kind));
    const isTwice = defined.has(kindId(kind));
    error(
      'bundle/owned-crd-missing',
      [csv, kind.path],
      isTwice
        ? `the ClusterServiceVersion owns ${showKind(kind)} twice`
        : `the ClusterServiceVersion owns ${showKind(kind)}, which no CustomResourceDefinition of the bundle defines`,
      isTwice
        ? 'remove one of the two entries'
        : elsewhere.length > 0
          ? `write a version that it has: ${elsewhere.map(({ version }) => version).join(', ')}`
          : 'add its CustomResourceDefinition to manifests/, or remove the entry',
    );
  }
  for (const kind of left.values()) {
    // Skip versions of a CRD if the operator lists another version of the CRD, because a CRD may also have versions that the operator no
    // longer lists.
    if (ownedNames.has(nameOf(kind))) continue;
    error(
      'bundle/crd-not-owned',
      [kind.object, kind.path],
      `the bundle defines ${showKind(kind)}, which the ClusterServiceVersion does not own`,
      `add {name: ${kind.object.name}, version: ${kind.version}, kind: ${kind.kind}} to spec.customresourcedefinitions.owned`,
    );
  }
};

const isOld = ({ apiVersion }: BundleObject): boolean => apiVersion !== 'apiextensions.k8s.io/v1';

function ownedKinds(csv: BundleObject): readonly PlacedKind[] {
  return ownedEntriesIn(csv).map(({ name, version, kind }, index) => ({
    // If the name contains no dot, use the entire name as the group.
    group:
      groupInName(textOf(name)) === '' && !textOf(name).includes('.')
        ? textOf(name)
        : groupInName(textOf(name)),
    version: textOf(version),
    kind: textOf(kind),
    object: csv,
    path: [...ownedPath, index],
  }));
}

const nameOf = ({ group, kind }: PlacedKind): string => JSON.stringify([group, kind]);

/**
 * Refuses ServiceAccounts in the bundle that a deployment uses, because OLM creates these accounts itself. Source: operator-framework/api
 * `bundle.go` `validateServiceAccounts`.
 */
const checkServiceAccounts: Check<Rules, 'bundle'> = ({ csv, objects }, { error }) => {
  if (csv === undefined) return;
  const used = new Set(csvDeployments(csv).map(serviceAccountOf));
  for (const account of objects) {
    if (account.apiVersion !== 'v1' || account.kind !== 'ServiceAccount' || !used.has(account.name)) continue;
    error(
      'bundle/service-account-clash',
      [account, ['metadata', 'name']],
      `a deployment of the ClusterServiceVersion runs as the ServiceAccount ${account.name}, which OLM creates; the one in this file would clash with it`,
      'remove the file, or give the account another name',
    );
  }
};

/**
 * If a ClusterServiceVersion has a release, checks that its name contains the release. Source: operator-framework/api `bundle.go`
 * `validateBundleName`.
 */
const checkReleaseName: Check<Rules, 'bundle'> = (bundle, { error }) => {
  const { csv } = bundle;
  if (csv === undefined) return;
  const release = textOf(fieldAt(csv.value, 'spec', 'release'));
  if (release === '') return;
  const name = annotationOf(bundle, annotationKeys.package) ?? '';
  const wanted = `${name}-v${textOf(fieldAt(csv.value, 'spec', 'version'))}-${release}`;
  if (csv.name === wanted) return;
  const message = `metadata.name: expected ${wanted}, as spec.release is set, got ${csv.name}`;
  error(
    'bundle/release-name',
    [csv, ['metadata', 'name']],
    message,
    `write ${wanted}, or remove spec.release`,
  );
};

/** Checks the entries of `spec.relatedImages`. Source: operator-framework/api `bundle.go` `validateRelatedImages`. */
const checkRelatedImages: Check<Rules, 'bundle'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  for (const [index, entry] of listOf(fieldAt(csv.value, 'spec', 'relatedImages')).entries()) {
    const { image } = mapOf(entry);
    const path = ['spec', 'relatedImages', index];
    if (image === undefined || image === null || image === '') {
      const message = `spec.relatedImages[${index}] names no image`;
      error('bundle/invalid-image', [csv, path], message, 'write its image, or remove the entry');
      continue;
    }
    const problem = typeof image === 'string' ? imageNameProblem(image) : undefined;
    if (problem === undefined) continue;
    const message = `spec.relatedImages[${index}].image ${JSON.stringify(image)} is not valid: ${problem}`;
    const fix = 'write registry/repository:tag or registry/repository@sha256:…';
    error('bundle/invalid-image', [csv, [...path, 'image']], message, fix);
  }
};

/**
 * Maximum size in bytes of the ConfigMap into which OLM unpacks a bundle. Source: operator-framework/api `bundle.go` `validateBundleSize`.
 */
const MOST = 1024 * 1024;

const WARN_FROM = 0.85;

/** Maximum size of a single file in bytes. A larger file does not fit into the ConfigMap even if it is compressed. */
const MOST_OF_FILE = 12 * MOST;

interface SizedFile {
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

/** Checks the total size of the files in `manifests/` as OLM stores them: each file compressed and in base64. */
const checkBundleSize: Check<Rules, 'bundle'> = async ({ path, dir }, report) => {
  const files = sizesOf(join(path, 'manifests'), join(dir, 'manifests'));
  const whole = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = files.reduce((sum, { bytes }) => sum + inBase64(bytes + 64), 0);
  // Do not compress the files if they fit without compression, because they then also fit compressed.
  if (most <= MOST * WARN_FROM) return;
  const compressed = await compressedSize(files);
  const place = { file: dir };
  const figures = `${kilobytes(compressed)} compressed (${kilobytes(whole)} as it is)`;
  const fix = 'take out what OLM does not need, such as docs; shorten the descriptions of the CRDs';
  if (compressed > MOST) {
    const message = `the bundle has ${figures}; OLM takes up to ${kilobytes(MOST)}`;
    report.error('bundle/too-large', place, message, fix);
  } else if (compressed > MOST * WARN_FROM) {
    const message = `the bundle has ${figures}, close to the ${kilobytes(MOST)} that OLM takes`;
    report.warn('bundle/nearly-too-large', place, message, fix);
  }
};

function sizesOf(path: string, shown: string): readonly SizedFile[] {
  const files: SizedFile[] = [];
  for (const entry of entriesOf(path, shown).slice(0, MOST_FILES)) {
    if (!entry.isFile()) continue;
    const inner = join(path, entry.name);
    files.push({ path: inner, file: join(shown, entry.name), bytes: statSync(inner).size });
  }
  return files;
}

function entriesOf(path: string, shown: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).filter(({ name }) => !isLeftover(name));
  } catch (error) {
    throw unreadable(shown, error);
  }
}

async function compressedSize(files: readonly SizedFile[]): Promise<number> {
  let size = 0;
  for (const { path, file, bytes } of files) {
    // Add the file's uncompressed size without reading the file, because the bundle exceeds the limit in any case.
    if (bytes > MOST_OF_FILE || size > 4 * MOST) {
      size += bytes;
      continue;
    }
    const content = await readFile(path).catch((error: unknown) => {
      throw unreadable(file, error);
    });
    size += inBase64((await promisify(gzip)(content)).length);
  }
  return size;
}

const inBase64 = (bytes: number): number => Math.ceil(bytes / 3) * 4;

function unreadable(file: string, error: unknown): OpSdkError {
  const message = `cannot read ${file}: ${errnoText(error)}`;
  return new OpSdkError({ code: 'io/cannot-read', message, where: { file } });
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

/** Returns the versions of a CRD. A CRD of apiVersion v1beta1 may have a single `version` instead of a list of versions. */
function versionsOf(crd: BundleObject): readonly PlacedKind[] {
  const spec = mapOf(crd.value['spec']);
  const kind = { group: textOf(spec['group']), kind: textOf(mapOf(spec['names'])['kind']), object: crd };
  const versions = listOf(spec['versions']).map((version, index) => ({
    ...kind,
    version: textOf(mapOf(version)['name']),
    path: ['spec', 'versions', index],
  }));
  if (versions.length > 0 || crd.apiVersion !== 'apiextensions.k8s.io/v1beta1') return versions;
  return [{ ...kind, version: textOf(spec['version']), path: ['spec', 'version'] }];
}

export const bundleRules = ruleModule<typeof rules, Rules>(rules, {
  bundle: [checkOwnedCrds, checkServiceAccounts, checkBundleSize, checkReleaseName, checkRelatedImages],
});
