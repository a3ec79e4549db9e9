import { fieldAt, listOf, mapOf, textOf, fieldName } from '../../fields.ts';
import {
  groupInName,
  ownedEntriesIn,
  ownedPath,
  parseExamples,
  bundleObjectName,
  metadataProblems,
  ownKinds,
} from '../../owned-kinds.ts';
import type { BundleObject, Check, FieldPath, Report } from '../../types.ts';
import { isJsonMap } from '../../../../../base/util/json-map.ts';
import { installableKinds } from '../../../examples.ts';

/** A kind that the operator provides, by its version. */
interface Provided {
  readonly id: string;
  readonly path: FieldPath;
}

/**
 * The examples in the annotation `alm-examples` and the kinds that the operator provides.
 * Source: operator-framework/api `pkg/validation/internal/csv.go` `validateExamplesAnnotations`.
 */
export const checkExamples: Check<'csv'> = ({ csv }, report) => {
  if (csv === undefined) return;
  const annotations = mapOf(mapOf(csv.value['metadata'])['annotations']);
  const [key, second] = ['alm-examples', 'olm.examples'].filter((name) => name in annotations);
  if (key === undefined) {
    const message = 'the annotation alm-examples is missing; consoles make new objects from it';
    const fix = 'put samples into config/samples; `op-sdk generate bundle` writes the annotation from them';
    report.warn('bundle/no-example', [csv, ['metadata', 'annotations']], message, fix);
    return;
  }
  const path = ['metadata', 'annotations', key];
  if (second !== undefined) {
    const message = `both ${key} and ${second} are there; only ${key} is read`;
    report.warn(
      'bundle/two-examples',
      [csv, ['metadata', 'annotations', second]],
      message,
      `remove ${second}`,
    );
  }
  const examples = kindsOfExamples(csv, path, textOf(annotations[key]), report);
  if (examples === undefined) return;
  const provided = providedKinds(csv, report);
  const shown = new Set(examples);
  const byId = new Map(provided.map((kind) => [kind.id, kind]));
  for (const id of shown) {
    if (byId.has(id)) continue;
    const message = `${key} has an example of ${id}, which the operator does not provide`;
    const fix = 'remove the example, or add the kind to spec.customresourcedefinitions.owned';
    report.error('bundle/example-without-api', [csv, path], message, fix);
  }
  for (const kind of byId.values()) {
    if (shown.has(kind.id)) continue;
    const message = `${key} has no example of ${kind.id}`;
    report.warn('bundle/no-example', [csv, kind.path], message, `add a sample of it to config/samples`);
  }
};

/** The kinds of the examples; undefined after a report. */
function kindsOfExamples(
  csv: BundleObject,
  path: FieldPath,
  text: string,
  { error }: Report<'csv'>,
): readonly string[] | undefined {
  const parsed = parseExamples(text);
  if ('examples' in parsed)
    return parsed.examples.map((example) => idOf(textOf(example['apiVersion']), textOf(example['kind'])));
  const message = `the annotation ${path.at(-1)} ${parsed.problem}`;
  error('bundle/invalid-example', [csv, path], message, 'write a JSON list of objects');
  return undefined;
}

function providedKinds(csv: BundleObject, { error }: Report<'csv'>): readonly Provided[] {
  const services = ['spec', 'apiservicedefinitions', 'owned'] as const;
  const fromCrds = ownedEntriesIn(csv).flatMap(({ name, version, kind }, index): readonly Provided[] => {
    const group = groupInName(textOf(name));
    if (textOf(name).includes('.'))
      return [{ id: idOf(`${group}/${textOf(version)}`, textOf(kind)), path: [...ownedPath, index] }];
    const message = `${ownedPath.join('.')} has the name ${JSON.stringify(name ?? '')}, which is not that of a CustomResourceDefinition`;
    error('bundle/invalid-crd-name', [csv, [...ownedPath, index, 'name']], message, 'write <plural>.<group>');
    return [];
  });
  const fromServices = listOf(fieldAt(csv.value, ...services)).map((entry, index) => {
    const { group, version, kind } = mapOf(entry);
    const apiVersion = `${textOf(group)}/${textOf(version)}`;
    return { id: idOf(apiVersion, textOf(kind)), path: [...services, index] };
  });
  return [...fromCrds, ...fromServices];
}

const idOf = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;

/**
 * Fields that must be there and hold something, outside of lists.
 * Source: operator-framework/api `typecheck.go` `checkEmptyFields`, over `v1alpha1.ClusterServiceVersion`.
 */
export const checkRequiredFields: Check<'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  for (const path of missingFields(csv)) {
    const message = `${fieldName(path)} is missing or empty`;
    error('bundle/missing-field', [csv, path], message, `write ${String(path.at(-1))}`);
  }
};

function missingFields({ value }: BundleObject): readonly FieldPath[] {
  const { spec } = value;
  if (!isJsonMap(spec) || isZero(spec)) return [['spec']];
  const { install, displayName } = spec;
  const missing: FieldPath[] = [];
  if (!isJsonMap(install) || isZero(install)) missing.push(['spec', 'install']);
  else {
    if (isZero(install['strategy'])) missing.push(['spec', 'install', 'strategy']);
    const strategy = install['spec'];
    // An empty list is there.
    if (isJsonMap(strategy) && !isZero(strategy) && !Array.isArray(strategy['deployments']))
      missing.push(['spec', 'install', 'spec', 'deployments']);
  }
  if (isZero(displayName)) missing.push(['spec', 'displayName']);
  return missing;
}

/** Returns true if Go reads a value as the zero value of its type. Empty lists and mappings of their own are not. */
function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return isJsonMap(value) && Object.values(value).every(isZero);
}

/**
 * Every object beside the ClusterServiceVersion and the definitions: a kind that OLM installs, and metadata that the API server takes.
 * Source: operator-sdk `internal/registry/validate.go` `ValidateBundleContent`.
 */
export const checkBundleObjects: Check<'content'> = ({ dir, objects, complete }, report) => {
  if (complete && !objects.some(({ kind }) => kind === 'ClusterServiceVersion'))
    report.error(
      'bundle/no-csv',
      { file: `${dir}/manifests` },
      'no file of manifests/ holds a ClusterServiceVersion, so there is nothing to install',
      'create the bundle with `op-sdk generate bundle`',
    );
  for (const object of objects) {
    if (object.kind === '' || ownKinds.includes(object.kind)) continue;
    if (installableKinds.includes(object.kind)) checkMetadata(object, report);
    else reportKind(object, report);
  }
};

/** OLM tells objects apart by their kind alone: the group is not looked at. */
function reportKind(object: BundleObject, { error }: Report<'content'>): void {
  const { apiVersion, kind } = object;
  error(
    'bundle/kind-not-supported',
    [object, ['kind']],
    `OLM does not install ${apiVersion} ${kind} from a bundle`,
    kind === 'Deployment'
      ? 'put the Deployment into spec.install.spec.deployments of the ClusterServiceVersion'
      : `let the operator create it when it runs; a bundle may hold ${installableKinds.join(', ')}`,
  );
}

function checkMetadata(object: BundleObject, { error }: Report<'content'>): void {
  const metadata = mapOf(object.value['metadata']);
  if (object.name === '' && textOf(metadata['generateName']) === '')
    error(
      'io/not-an-object',
      [object, ['metadata', 'name']],
      'the object has no metadata.name',
      'give it a name',
    );
  const namespace = textOf(metadata['namespace']);
  if (namespace !== '')
    error(
      'bundle/namespaced-object',
      [object, ['metadata', 'namespace']],
      `${bundleObjectName(object)} has the namespace ${namespace}; OLM installs it where the operator is installed`,
      'remove metadata.namespace',
    );
  for (const { path, message, fix, ofType } of metadataProblems(object))
    if (ofType !== true) error('bundle/invalid-metadata', [object, ['metadata', ...path]], message, fix);
}
