import { annotationIn, annotationKeys } from '../annotations.ts';
import type { PlacedDocument, FieldPath } from '../types.ts';
import { isJsonMap } from '../../../../base/util/json-map.ts';
import { listOf, mapOf, textOf } from '../fields.ts';
import { isVersionRange } from '../semver.ts';
import { subdomainProblem } from '../../../../kubernetes/objects/index.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/no-annotations': {
    validators: { format: 'error' },
    title: 'A bundle has no annotations',
    explain:
      'metadata/annotations.yaml tells OLM that a folder or image is a bundle, of which package, and where its manifests are. Without it nothing can be installed.',
  },
  'bundle/missing-annotation': {
    validators: { format: 'error' },
    title: 'An annotation of a bundle is missing',
    explain:
      'OLM finds its way in a bundle by the annotations in metadata/annotations.yaml. `op-sdk generate bundle` writes all of them.',
  },
  'bundle/invalid-annotation': {
    validators: { format: 'error', opsdk: 'error' },
    title: 'An annotation of a bundle has a wrong value',
    explain:
      'Annotations are texts, and those of bundles have fixed forms: folders inside the bundle, names of packages and channels.',
  },
  'bundle/invalid-dependency': {
    validators: { format: 'error', opsdk: 'error' },
    title: 'A dependency of the bundle is not valid',
    explain:
      'metadata/dependencies.yaml lists what must be installed with the operator: kinds (olm.gvk), packages with ranges of versions (olm.package), labels (olm.label) or constraints in CEL (olm.constraint).',
  },
  'bundle/invalid-property': {
    validators: { opsdk: 'error' },
    title: 'A property of the bundle is not valid',
    explain: 'metadata/properties.yaml is a list of properties, each with a type and a value.',
  },
  'bundle/channel-name': {
    validators: { opsdk: 'warning' },
    title: 'The name of a channel is unusual',
    explain:
      'A warning. By convention the names of channels begin with candidate, fast or stable, which tells users what to expect of them. operator-sdk has this rule in good-practices and never applies it, as it does not read the channels.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/** Annotations whose value is the same in every bundle, with that value. */
const fixed = [
  [annotationKeys.mediaType, 'registry+v1'],
  // operator-sdk reads the objects from this folder.
  [annotationKeys.manifests, 'manifests/'],
] as const;

const present = [
  [annotationKeys.metadata, 'metadata/'],
  [annotationKeys.package, '<name of the package>'],
  [annotationKeys.channels, 'alpha'],
] as const;

/**
 * Checks the annotations in `metadata/annotations.yaml` that OLM needs to read the bundle's image. Source: operator-registry
 * `pkg/lib/bundle/validate.go` `validateAnnotations`.
 */
const checkAnnotations: Check<Rules, 'format'> = (bundle, report) => {
  const { annotations: file } = bundle;
  if (file === undefined) {
    report.error(
      'bundle/no-annotations',
      { file: `${bundle.dir}/metadata` },
      'no file of metadata/ has annotations, so OLM does not know what kind of bundle this is',
      'make metadata/annotations.yaml with `op-sdk generate bundle`',
    );
    return;
  }
  for (const [key, wanted] of fixed) checkFixed(file, key, wanted, report);
  for (const [key, example] of present) valueOrMissing(file, key, example, report);
  checkEmpty(file, report);
};

function checkFixed(
  file: PlacedDocument,
  key: string,
  wanted: string,
  report: Report<Rules, 'format'>,
): void {
  const value = valueOrMissing(file, key, wanted, report);
  if (value === undefined || value === wanted || (wanted.endsWith('/') && `${value}/` === wanted)) return;
  report.error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the annotation ${key}: expected ${wanted} for a bundle of manifests, got ${JSON.stringify(value)}`,
    `write ${key}: ${wanted}`,
  );
}

function checkEmpty(file: PlacedDocument, { error }: Report<Rules, 'format'>): void {
  const { channels, defaultChannel } = annotationKeys;
  if (annotationIn(file, channels) === '')
    error(
      'bundle/invalid-annotation',
      [file, ['annotations', channels]],
      `the annotation ${channels} is empty`,
      'write the channels with commas and nothing else between them, such as alpha,stable',
    );
  if (annotationIn(file, defaultChannel) === '')
    error(
      'bundle/invalid-annotation',
      [file, ['annotations', defaultChannel]],
      `the annotation ${defaultChannel} is empty`,
      'name the default channel of the package, or remove the annotation',
    );
}

function valueOrMissing(
  file: PlacedDocument,
  key: string,
  example: string,
  { error }: Report<Rules, 'format'>,
): string | undefined {
  const value = annotationIn(file, key);
  if (value === undefined) {
    const message = `the annotation ${key} is missing`;
    error('bundle/missing-annotation', [file, ['annotations']], message, `add ${key}: ${example}`);
  }
  return value;
}

/**
 * Checks `metadata/dependencies.yaml`, which lists the bundles and kinds that OLM installs first. Does not compile CEL expressions. Source:
 * operator-registry `pkg/registry/types.go`.
 */
const checkDependencies: Check<Rules, 'format'> = ({ dependencies: file }, report) => {
  if (file === undefined) return;
  const list = file.value['dependencies'];
  for (const [index, item] of listOf(list).entries()) {
    for (const [path, problem, fix] of problemsOf(mapOf(item))) {
      report.error(
        'bundle/invalid-dependency',
        [file, ['dependencies', index, ...path]],
        `dependencies[${index}]: ${problem}`,
        fix,
      );
    }
  }
};

type Problem = readonly [FieldPath, string, string];

const kinds: Readonly<Record<string, (value: Readonly<Record<string, unknown>>) => readonly Problem[]>> = {
  'olm.gvk': (value) => empty(value, ['group', 'version', 'kind']),
  'olm.package': (value) => {
    const version = textOf(value['version']);
    const missing = empty(value, ['packageName', 'version']);
    if (version === '' || isVersionRange(version)) return missing;
    const problem = `the version ${JSON.stringify(version)} is not a range of versions`;
    return [...missing, [['value', 'version'], problem, 'write a range such as ">=1.2.0 <2.0.0"']];
  },
  'olm.label': (value) => empty(value, ['label']),
  'olm.constraint': ({ cel }) => {
    if (isJsonMap(cel) && textOf(cel['rule']) !== '') return [];
    return [[['value'], 'the constraint has no rule in CEL', 'write it as value.cel.rule']];
  },
};

function problemsOf(dependency: Readonly<Record<string, unknown>>): readonly Problem[] {
  const type = textOf(dependency['type']);
  const check = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (check === undefined)
    return [
      [['type'], `unknown type ${JSON.stringify(type)}`, `write one of ${Object.keys(kinds).join(', ')}`],
    ];
  const { value } = dependency;
  if (!isJsonMap(value))
    return [[['value'], 'value is not a mapping', `write the fields of ${type} below value`]];
  return check(value);
}

function empty(value: Readonly<Record<string, unknown>>, fields: readonly string[]): readonly Problem[] {
  return fields.flatMap((field): readonly Problem[] => {
    const item = value[field];
    if (typeof item === 'string' && item !== '') return [];
    const problem = item === undefined || item === '' ? `${field} is missing` : `${field} is not a text`;
    return [[['value', field], problem, `write value.${field}, in quotes`]];
  });
}

/**
 * Checks the values in `metadata/annotations.yaml`. Names must be valid for OLM v1 and for catalogues, and folders that the annotations
 * name must exist.
 */
const checkAnnotationValues: Check<Rules, 'opsdk'> = ({ annotations: file }, report) => {
  if (file === undefined) return;
  checkFolder(file, report);
  checkPackage(file, report);
  checkChannels(file, report);
};

function checkFolder(file: PlacedDocument, { error }: Report<Rules, 'opsdk'>): void {
  const key = annotationKeys.metadata;
  const value = annotationIn(file, key);
  if (value === undefined || value === 'metadata/' || value === 'metadata') return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the annotation ${key}: expected metadata/, got ${JSON.stringify(value)}`,
    `write ${key}: metadata/`,
  );
}

/** Checks that the package name is valid in a ClusterExtension. Source: the format of package names in a ClusterExtension. */
function checkPackage(file: PlacedDocument, { error }: Report<Rules, 'opsdk'>): void {
  const value = annotationIn(file, annotationKeys.package);
  const problem = value === undefined ? undefined : subdomainProblem(value);
  if (problem === undefined) return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', annotationKeys.package]],
    `the package ${JSON.stringify(value)} is not valid: ${problem}`,
    'write the name of the package, such as memcached-operator',
  );
}

function checkChannels(file: PlacedDocument, { error }: Report<Rules, 'opsdk'>): void {
  const key = annotationKeys.channels;
  const value = annotationIn(file, key) ?? '';
  if (value === '' || value.split(',').every((channel) => channel !== '' && channel === channel.trim()))
    return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the channels ${JSON.stringify(value)} hold an empty name or a blank`,
    'write the names with commas and nothing else between them, such as alpha,stable',
  );
}

/** Checks that `metadata/properties.yaml` is a list of entries with a type and a value. Source: operator-registry `PropertiesFile`. */
const checkProperties: Check<Rules, 'opsdk'> = ({ properties: file, dependencies }, report) => {
  if (dependencies !== undefined && !Array.isArray(dependencies.value['dependencies']))
    report.error(
      'bundle/invalid-dependency',
      [dependencies, ['dependencies']],
      'dependencies is not a list',
      'write a list',
    );
  if (file === undefined) return;
  const list = file.value['properties'];
  if (!Array.isArray(list)) {
    report.error(
      'bundle/invalid-property',
      [file, ['properties']],
      'properties is not a list',
      'write a list',
    );
    return;
  }
  for (const [index, item] of listOf(list).entries()) checkProperty(file, index, mapOf(item), report);
};

function checkProperty(
  file: PlacedDocument,
  index: number,
  property: Readonly<Record<string, unknown>>,
  { error }: Report<Rules, 'opsdk'>,
): void {
  if (textOf(property['type']) === '') {
    const message = `properties[${index}] has no type`;
    error(
      'bundle/invalid-property',
      [file, ['properties', index]],
      message,
      'write its type, such as olm.maxOpenShiftVersion',
    );
  }
  if (property['value'] === undefined || property['value'] === null) {
    const message = `properties[${index}] has no value`;
    error('bundle/invalid-property', [file, ['properties', index]], message, 'write its value, of any form');
  }
}

const usual = ['candidate', 'fast', 'stable'];

/**
 * Checks that channel names follow the conventions. Source: operator-framework/api `good_practices.go` `validateHubChannels`, a check that
 * operator-sdk never reaches.
 */
const checkChannelNames: Check<Rules, 'opsdk'> = ({ annotations: file }, { warn }, { selected }) => {
  // Violated conventions are reported only if the validator `good-practices` is selected.
  if (file === undefined || !selected.has('good-practices')) return;
  for (const key of [annotationKeys.channels, annotationKeys.defaultChannel]) {
    const names = (annotationIn(file, key) ?? '').split(',').map((name) => name.trim());
    const odd = names.filter((name) => name !== '' && !usual.some((prefix) => name.startsWith(prefix)));
    if (odd.length === 0) continue;
    const message = `the names of channels begin with ${usual.join(', ')} by convention, got ${odd.join(', ')}`;
    warn(
      'bundle/channel-name',
      [file, ['annotations', key]],
      message,
      'rename it, or keep it if users know it',
    );
    return;
  }
};

export const annotationRules = ruleModule<typeof rules, Rules>(rules, {
  format: [checkAnnotations, checkDependencies],
  opsdk: [checkAnnotationValues, checkChannelNames, checkProperties],
});
