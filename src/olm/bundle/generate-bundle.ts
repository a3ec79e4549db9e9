import { withArticle } from '../../base/util/words.ts';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import type { KindDescription } from '../../compiler/manifests/index.ts';
import { describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, jsonMapOf, sortKeys, compareCodeUnits } from '../../base/util/json-map.ts';
import { xDescriptorProblem } from '../../compiler/schema/index.ts';
import { pathText } from '../../base/util/read-json.ts';
import { checkBase } from './check-base.ts';
import { checkInputSize } from './check-folder-size.ts';
import { csvDocument, csvName } from './csv.ts';
import { checkCertificates, withoutInjection, webhookDefinitions } from './certificates.ts';
import { checkPortability, csvDeployment, namespaceOf } from './deployments.ts';
import { collectExamples, installableKinds, isInstallable, ownedKinds } from './examples.ts';
import { olmV1Problems, manifestFiles, type BundleManifest } from './olm-v1.ts';
import {
  bundleAnnotations,
  bundleFiles,
  type BundleAnnotation,
  type BundleFacts,
  type MetadataSource,
  type ReleaseFields,
} from './metadata.ts';
import { createObjectReader, type ObjectReader } from './object-reader.ts';
import { ownedEntries } from './owned-entries.ts';
import { collectPermissions, withoutUserRoles } from './permissions.ts';
import { containersOf, relatedImages } from './pin-images.ts';
import { sortObjects, type SortedObjects } from './sort-objects.ts';
import { fieldAt, listOf, textsOf } from './validate/fields.ts';

export interface BundleInput extends Omit<BundleFacts, 'scorecard'> {
  /** Version of the operator: Semantic Versioning 2.0, already checked. */
  readonly version: string;
  /** All objects of the operator, including its samples and scorecard configuration. */
  readonly objects: readonly PlacedObject[];
  /** The base ClusterServiceVersion; used if `objects` contain no ClusterServiceVersion of the package. */
  readonly base?: PlacedObject | undefined;
  /**
   * Descriptions of the operator's kinds, read from the TypeScript sources. Descriptions of kinds that `objects` do not define are ignored.
   * Default: nothing.
   */
  readonly described?: readonly KindDescription[] | undefined;
  /** ServiceAccounts that no Deployment uses, but whose rules belong in the ClusterServiceVersion. */
  readonly extraServiceAccounts?: readonly string[];
  /** Value of the annotation `createdAt`; replaces the value in the base. */
  readonly createdAt?: string | undefined;
  /**
   * Value of the annotation `createdAt` if neither `createdAt` nor the base sets it. If `generatedAt` is omitted, the same input gives the
   * same bytes.
   */
  readonly generatedAt?: string | undefined;
  /** Include ClusterRoles for the users of the operator in the bundle. Default: false, because OLM creates roles for users itself. */
  readonly userRoles?: boolean;
  /** List the images of all containers as related images. Default: only the images that variables `RELATED_IMAGE_<NAME>` name. */
  readonly listImages?: boolean;
  /** Files of `metadata/` that people write, such as `dependencies.yaml`. */
  readonly metadata?: readonly MetadataSource[];
  /** Fields about former releases and the required cluster; they replace the same fields of the base. */
  readonly release?: ReleaseFields;
}

/** A generated bundle as plain JSON values. */
export interface GeneratedBundle {
  /** The ClusterServiceVersion first, then the other manifests, sorted by file name. */
  readonly manifests: readonly BundleManifest[];
  /** The scorecard configuration; undefined if the input objects contain none. */
  readonly scorecard: JsonMap | undefined;
  readonly annotations: readonly BundleAnnotation[];
  /** Files of `metadata/` other than annotations.yaml. */
  readonly metadata: readonly MetadataSource[];
  /** Names of ClusterRoles for the operator's users that are not included in the bundle. */
  readonly leftRoles: readonly string[];
  readonly warnings: readonly Finding[];
}

/**
 * Generates the bundle of an operator from its objects. Has no side effects; the same input objects in any order give the same bundle.
 * @throws OpSdkError with every problem that keeps OLM from installing the operator as intended
 */
export function generateBundle(input: BundleInput): GeneratedBundle {
  const findings = new FindingList();
  const warnings = new FindingList();
  const read = createObjectReader(findings);
  checkNotEmpty(findings, input);
  checkInputSize(findings, input.base === undefined ? input.objects : [...input.objects, input.base]);
  findings.throwIfAny();
  const objects = sortObjects(findings, input.objects);
  const { deployments, crds } = objects;
  const base = baseOf(findings, input, objects);
  const namespace = namespaceOf(findings, deployments);
  const containers = containersOf(read, deployments);
  checkHasDeployment(findings, objects);
  checkServed(findings, crds);
  checkPortability(warnings, read, deployments, namespace);
  const usedBy = new Map(deployments.map((deployment) => [accountOf(read, deployment), deployment] as const));
  const accounts = new Set([...usedBy.keys(), ...(input.extraServiceAccounts ?? [])]);
  const permissions = collectPermissions(findings, warnings, read, {
    objects,
    accounts,
    usedBy,
    namespace,
  });
  const generated = webhookDefinitions(findings, read, objects);
  const webhooks = [...generated, ...(base === undefined ? [] : ownWebhooks(read, base, generated))];
  checkCertificates(findings, warnings, read, objects, webhooks);
  const loose = withoutUserRoles(input.userRoles === true ? [] : permissions.loose, crds);
  const { almExamples, rest } = collectExamples(warnings, crds, objects.others);
  checkInstallable(findings, rest, crds);
  const manifests = manifestFiles(
    findings,
    [
      ...crds.map(withoutInjection),
      ...(input.userRoles === true ? permissions.loose : loose.kept),
      ...objects.services,
      ...rest.filter(({ object }) => isInstallable(object)),
    ],
    namespace,
  );
  const scorecard = onlyScorecard(findings, objects.scorecards);
  if (base === undefined) {
    findings.throwIfAny();
    throw new TypeError('the lack of a base has not been noted');
  }
  checkBase(findings, warnings, read, base);
  checkDescriptors(warnings, base);
  const owned = ownedEntries(warnings, read, { crds, base, described: input.described ?? [] });
  const { packageName, version, builder, projectLayout } = input;
  const csv = csvDocument(warnings, read, base, {
    packageName,
    version,
    builder,
    projectLayout,
    createdAt: input.createdAt,
    generatedAt: input.generatedAt,
    release: input.release ?? {},
    almExamples,
    deployments: deployments.map(csvDeployment),
    permissions,
    owned,
    webhooks,
    relatedImages: relatedImages(findings, containers, base, read, { all: input.listImages === true }),
    containers,
  });
  warnOfOlmV1(warnings, csv, base, input.metadata ?? []);
  checkUpdateOfItself(findings, jsonMapOf(csv['spec']), csvName(packageName, version), base.where);
  findings.throwIfAny();
  return {
    manifests: [
      { file: bundleFiles.csv(packageName).replace('manifests/', ''), document: csv },
      ...manifests,
    ].map(({ file, document }) => ({ file, document: sortKeys(document) as JsonMap })),
    scorecard,
    annotations: bundleAnnotations({ ...input, scorecard: scorecard !== undefined }),
    metadata: input.metadata ?? [],
    leftRoles: loose.left.map(({ object }) => object.metadata.name),
    warnings: warnings.all,
  };
}

/** Warns of parts of the bundle that OLM v1 would refuse. Each warning points at the file that people edit. */
function warnOfOlmV1(
  warnings: FindingList,
  csv: JsonMap,
  base: PlacedObject,
  metadata: readonly MetadataSource[],
): void {
  const sourceOf = (name: string): MetadataSource | undefined =>
    metadata.find((each) => each.name === `${name}.yaml`);
  const problems = olmV1Problems({
    csv,
    dependencies: sourceOf('dependencies')?.document,
    properties: sourceOf('properties')?.document,
  });
  for (const { document, message, fix } of problems) {
    const source = sourceOf(document)?.source;
    warnings.add({
      code: 'bundle/not-for-olm-v1',
      ...{ message, where: source === undefined ? base.where : { file: source }, fix },
    });
  }
}

function checkNotEmpty(findings: FindingList, { objects, base }: BundleInput): void {
  const isCsv = ({ object }: PlacedObject): boolean => object.kind === 'ClusterServiceVersion';
  if (objects.some((placed) => !isCsv(placed))) return;
  findings.add({
    code: 'bundle/empty',
    message: 'there are no objects for a bundle',
    ...(objects[0] === undefined
      ? base === undefined
        ? {}
        : { where: base.where }
      : { where: objects[0].where }),
    fix: ['see that `op-sdk kustomize build config/manifests` prints the objects of the operator'],
  });
}

/** Returns the base ClusterServiceVersion: the package's ClusterServiceVersion among the input objects, otherwise the given `base`. */
function baseOf(
  findings: FindingList,
  { packageName, base }: BundleInput,
  { csvs }: SortedObjects,
): PlacedObject | undefined {
  const own = csvs.filter(({ object }) => object.metadata.name.startsWith(`${packageName}.`));
  for (const csv of csvs.filter((candidate) => candidate !== own[0])) {
    findings.add({
      code: 'bundle/foreign-csv',
      message: own.includes(csv)
        ? `${describeObject(csv.object)} is a second ClusterServiceVersion of the package ${packageName}`
        : `${describeObject(csv.object)} belongs to another package than ${packageName}`,
      where: csv.where,
      fix: [
        `leave one ClusterServiceVersion whose name begins with ${packageName}.`,
        'give the name of the package with --package',
      ],
    });
  }
  if (own[0] !== undefined || base !== undefined) return own[0] ?? base;
  findings.add({
    code: 'bundle/no-base',
    message: `the package ${packageName} has no base ClusterServiceVersion, with the name, provider and description of the operator`,
    fix: ['create one with `op-sdk generate kustomize manifests`'],
  });
  return undefined;
}

const workloads = ['DaemonSet', 'StatefulSet', 'ReplicaSet', 'Job', 'CronJob', 'Pod'];

function checkHasDeployment(findings: FindingList, { deployments, others }: SortedObjects): void {
  if (deployments.length > 0) return;
  const workload = others.find(({ object }) => workloads.includes(object.kind));
  findings.add({
    code: 'bundle/no-deployment',
    message:
      workload === undefined
        ? 'the objects contain no Deployment, so OLM would install nothing that runs'
        : `the objects contain no Deployment; OLM cannot run the operator as ${withArticle(workload.object.kind)}`,
    ...(workload === undefined ? {} : { where: workload.where }),
    fix: ['add the Deployment of the operator: config/manager has it in a scaffolded project'],
  });
}

function checkInstallable(
  findings: FindingList,
  objects: readonly PlacedObject[],
  crds: readonly PlacedObject[],
): void {
  for (const { object, where } of objects.filter((placed) => !isInstallable(placed.object))) {
    findings.add({
      code: 'bundle/kind-not-supported',
      message: `OLM cannot install ${describeObject(object)}, and it is not an example of a kind of this bundle (${listKinds(crds)})`,
      where,
      fix: [
        'remove it from config/manifests by a patch with `$patch: delete`, and let the operator create it if it is needed',
        `OLM installs ${installableKinds.join(', ')}`,
      ],
    });
  }
}

function onlyScorecard(findings: FindingList, scorecards: readonly PlacedObject[]): JsonMap | undefined {
  for (const { object, where } of scorecards.slice(1)) {
    findings.add({
      code: 'bundle/duplicate-object',
      message: `${describeObject(object)} is a second scorecard configuration; a bundle has one`,
      where,
      fix: ['join the two, or remove one'],
    });
  }
  return scorecards[0] === undefined ? undefined : (sortKeys(scorecards[0].object) as JsonMap);
}

/** Returns the webhook definitions of the base that no generated definition replaces. */
function ownWebhooks(
  read: ObjectReader,
  base: PlacedObject,
  generated: readonly JsonMap[],
): readonly JsonMap[] {
  return read
    .maps(base, 'spec', 'webhookdefinitions')
    .filter((own) => !generated.some((webhook) => webhook['generateName'] === own['generateName']));
}

const owned = ['spec', 'customresourcedefinitions', 'owned'] as const;
const lists = ['specDescriptors', 'statusDescriptors', 'actionDescriptors'];

/**
 * Warns of x-descriptors in the base's owned kinds that user interfaces do not recognise. Skips fields of an unexpected type, because the
 * code that uses these fields reports them.
 */
function checkDescriptors(warnings: FindingList, base: PlacedObject): void {
  const at = (path: readonly (string | number)[]): unknown => fieldAt(base.object, ...path);
  const itemsOf = (path: readonly (string | number)[]): readonly (readonly (string | number)[])[] =>
    listOf(at(path)).map((_, index) => [...path, index]);
  for (const path of itemsOf(owned)
    .flatMap((kind) => lists.map((list) => [...kind, list]))
    .flatMap(itemsOf)
    .map((descriptor) => [...descriptor, 'x-descriptors'])) {
    for (const name of textsOf(at(path))) {
      const problem = xDescriptorProblem(name);
      if (problem === undefined) continue;
      warnings.add({
        code: 'schema/unknown-x-descriptor',
        message: `the base ClusterServiceVersion: ${pathText(path)}: ${problem.message}`,
        where: base.where,
        fix: [problem.fix],
      });
    }
  }
}

/** Reports a release that replaces or skips itself. */
function checkUpdateOfItself(
  findings: FindingList,
  spec: JsonMap,
  name: string,
  where: PlacedObject['where'],
): void {
  const { replaces, skips } = spec;
  const isSkipped = Array.isArray(skips) && (skips as unknown[]).includes(name);
  for (const field of [...(replaces === name ? ['replaces'] : []), ...(isSkipped ? ['skips'] : [])])
    findings.add({
      code: 'bundle/replaces-itself',
      message: `spec.${field} names ${name}, the version of this bundle itself; expected another version`,
      where,
      fix: ['name the version before this one, or give this bundle another version with --version'],
    });
}

/** Returns the name of the ServiceAccount that a Deployment's pods run as. */
function accountOf(read: ObjectReader, deployment: PlacedObject): string {
  const pod = ['spec', 'template', 'spec'] as const;
  return (
    read.text(deployment, ...pod, 'serviceAccountName') ??
    // Deprecated name of the field, which the API server still accepts.
    read.text(deployment, ...pod, 'serviceAccount') ??
    'default'
  );
}

/** Lists the kinds of `crds` for messages about objects of other kinds. */
function listKinds(crds: readonly PlacedObject[]): string {
  const kinds = crds.flatMap(({ object }) =>
    ownedKinds(object).map(({ kind, version }) => `${kind} ${version}`),
  );
  return kinds.length === 0 ? 'none' : [...new Set(kinds)].sort(compareCodeUnits).join(', ');
}

/**
 * Reports CustomResourceDefinitions without a served version, because OLM could not wait for any version, and nobody could use the kind.
 */
function checkServed(findings: FindingList, crds: readonly PlacedObject[]): void {
  for (const { object, where } of crds.filter((crd) => ownedKinds(crd.object).length === 0)) {
    findings.add({
      code: 'bundle/invalid-object',
      message: `${describeObject(object)}: spec.versions has no version that is served`,
      where,
      fix: ['serve a version, or leave the CustomResourceDefinition out of the bundle'],
    });
  }
}
