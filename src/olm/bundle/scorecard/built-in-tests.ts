import { posix } from 'node:path';
import type { BundleVerdict } from '../validate/validate-bundle.ts';
import { listOf, textOf, mapOf, fieldAt } from '../validate/fields.ts';
import { ownedEntriesIn, parseExamples, type ParsedExamples } from '../validate/owned-kinds.ts';
import { formatWhere } from '../../../base/errors/index.ts';
import { type BundleResult, joinResults, type JoinedFinding } from '../validate/findings/collect-findings.ts';
import { isJsonMap, type JsonMap } from '../../../base/util/json-map.ts';
import type { ConfiguredTest, Judgement, TestResult } from './configuration.ts';
import { fromV1beta1 } from '../../../kubernetes/crd/index.ts';
import type { BundleObject } from '../validate/types.ts';
import { annotationText } from '../validate/annotations.ts';

/** Subject of the tests: a bundle that could be read. */
interface Subject {
  readonly csv: BundleObject;
  readonly crds: readonly BundleObject[];
}

/** A built-in test that reads the manifests. */
type ManifestTest = (subject: Subject) => Judgement;

/** Returns the custom resources in the annotation `alm-examples`. Does not read the annotation `olm.examples`. */
function examplesOf({ csv }: Subject): ParsedExamples {
  const text = annotationText(mapOf(mapOf(csv.value['metadata'])['annotations'])['alm-examples']);
  const parsed = parseExamples(text ?? '');
  return 'examples' in parsed ? parsed : { problem: `the annotation alm-examples ${parsed.problem}` };
}

/** Judges each example with `judge`. If the examples cannot be read, the result contains an error. */
function judgeExamples(
  subject: Subject,
  judge: (example: JsonMap) => Pick<Judgement, 'errors' | 'suggestions'> & { readonly failed: boolean },
): Judgement {
  const read = `read ${subject.csv.name}`;
  const parsed = examplesOf(subject);
  if ('problem' in parsed) return { state: 'error', log: [read], errors: [parsed.problem], suggestions: [] };
  const judged = parsed.examples.map(judge);
  return {
    state: judged.some(({ failed }) => failed) ? 'fail' : 'pass',
    log: [read, `read ${parsed.examples.length} custom resources from alm-examples`],
    errors: judged.flatMap(({ errors }) => errors),
    suggestions: judged.flatMap(({ suggestions }) => suggestions),
  };
}

/** Returns the owned entry for the kind of an example. Like operator-sdk, matches kind and version, but ignores the group. */
function ownedEntryOf({ csv }: Subject, example: JsonMap): JsonMap | undefined {
  const version = versionOf(example);
  return ownedEntriesIn(csv).find(
    (entry) => textOf(entry['kind']) === example['kind'] && textOf(entry['version']) === version,
  );
}

/** Returns the version in an object's apiVersion. */
function versionOf(example: JsonMap): string {
  return textOf(example['apiVersion']).split('/').at(-1) ?? '';
}

/** Returns the name of an example for messages. */
function exampleName(example: JsonMap): string {
  return `${textOf(example['kind'])} ${textOf(mapOf(example['metadata'])['name'])}`.trimEnd();
}

/** A version of a kind in a CustomResourceDefinition. */
interface DefinedVersion {
  readonly kind: string;
  readonly version: string;
  /** Schema of the version; undefined without one. */
  readonly schema: JsonMap | undefined;
}

/**
 * Test `olm-crds-have-validation`: the schemas contain each field in an example's spec and status. Source: operator-sdk
 * `internal/scorecard/tests/olm.go`.
 */
const crdsHaveValidation: ManifestTest = (subject) => {
  const read = subject.crds.map(definedVersions);
  const errors = read.flatMap((versions) => ('problems' in versions ? versions.problems : []));
  if (errors.length > 0) return { state: 'error', log: [], errors, suggestions: [] };
  const defined = read.flatMap((versions) => ('problems' in versions ? [] : versions));
  const judgement = judgeExamples(subject, (example) => {
    // Like operator-sdk, compare kind and version case-insensitively, and ignore the group.
    const own = defined.filter(
      ({ kind, version }) => isSame(kind, textOf(example['kind'])) && isSame(version, versionOf(example)),
    );
    return combine(own.map((version) => judgeExample(example, version)));
  });
  return { ...judgement, log: [...judgement.log, `read ${subject.crds.length} CustomResourceDefinitions`] };
};

type Part = Pick<Judgement, 'errors' | 'suggestions'> & { readonly failed: boolean };

function judgeExample(example: JsonMap, { kind, version, schema }: DefinedVersion): Part {
  if (schema === undefined)
    return { failed: false, errors: [], suggestions: [`add a schema to ${kind} ${version}`] };
  return combine(
    ['spec', 'status'].map((part) => {
      const value = example[part] ?? {};
      if (!isJsonMap(value)) {
        const error = `the example ${exampleName(example)}: expected ${part} to be an object`;
        return { failed: true, errors: [error], suggestions: [] };
      }
      const known = mapOf(fieldAt(schema, 'properties', part, 'properties'));
      const missing = Object.keys(value).filter((field) => !Object.hasOwn(known, field));
      const suggestions = missing.map((field) => `add ${part}.${field} to the schema of ${kind} ${version}`);
      return { failed: missing.length > 0, errors: [], suggestions };
    }),
  );
}

function combine(parts: readonly Part[]): Part {
  return {
    failed: parts.some(({ failed }) => failed),
    errors: parts.flatMap(({ errors }) => errors),
    suggestions: parts.flatMap(({ suggestions }) => suggestions),
  };
}

function definedVersions(
  crd: BundleObject,
): readonly DefinedVersion[] | { readonly problems: readonly string[] } {
  const isOld = crd.apiVersion === 'apiextensions.k8s.io/v1beta1';
  const converted = isOld ? fromV1beta1(crd.value, () => ({ file: crd.file })) : undefined;
  if (converted !== undefined && converted.document === undefined)
    return { problems: converted.findings.map(({ message }) => `${crd.file}: ${message}`) };
  const spec = mapOf((converted?.document ?? crd.value)['spec']);
  const kind = textOf(mapOf(spec['names'])['kind']);
  return listOf(spec['versions']).map((each) => {
    const schema = fieldAt(each, 'schema', 'openAPIV3Schema');
    return {
      kind,
      version: textOf(mapOf(each)['name']),
      schema: isJsonMap(schema) ? schema : undefined,
    };
  });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Test `olm-spec-descriptors`: each field in an example's spec has a descriptor. Source: operator-sdk `internal/scorecard/tests/olm.go`.
 */
const specDescriptors: ManifestTest = (subject) =>
  judgeExamples(subject, (example) => {
    const { spec } = example;
    if (spec === undefined || spec === null) return fail(`the example ${exampleName(example)} has no spec`);
    if (!isJsonMap(spec)) return fail(notAnObject(example, 'spec'));
    const entry = ownedEntryOf(subject, example);
    if (entry === undefined) return fail(notOwned(example));
    const described = new Set(listOf(entry['specDescriptors']).map((item) => mapOf(item)['path']));
    const missing = Object.keys(spec).filter((field) => !described.has(field));
    return {
      failed: missing.length > 0,
      errors: missing.map((field) => `${kindOf(example)}: the field spec.${field} has no descriptor`),
      suggestions: missing.map(
        (field) => `${kindOf(example)}: write a descriptor with \`path: ${field}\` into specDescriptors`,
      ),
    };
  });

/**
 * Test `olm-status-descriptors`: if an example has a status, its kind has status descriptors. Source: operator-sdk
 * `internal/scorecard/tests/olm.go`.
 */
const statusDescriptors: ManifestTest = (subject) =>
  judgeExamples(subject, (example) => {
    const entry = ownedEntryOf(subject, example);
    if (entry === undefined) return fail(notOwned(example));
    const status = example['status'] ?? {};
    if (!isJsonMap(status)) return fail(notAnObject(example, 'status'));
    if (Object.keys(status).length === 0) {
      const suggestion = `the example ${exampleName(example)} has no status; an object with a state of its own should have one`;
      return { failed: false, errors: [], suggestions: [suggestion] };
    }
    if (listOf(entry['statusDescriptors']).length > 0) return { failed: false, errors: [], suggestions: [] };
    return {
      ...fail(`${kindOf(example)} has no descriptor of its status`),
      suggestions: [`${kindOf(example)}: write descriptors into statusDescriptors`],
    };
  });

function fail(error: string): {
  readonly failed: true;
  readonly errors: readonly string[];
  readonly suggestions: readonly string[];
} {
  return { failed: true, errors: [error], suggestions: [] };
}

function notOwned(example: JsonMap): string {
  return `the example ${exampleName(example)} is of ${kindOf(example)}, which the operator does not own`;
}

function notAnObject(example: JsonMap, field: string): string {
  return `the example ${exampleName(example)}: expected ${field} to be an object`;
}

function kindOf(example: JsonMap): string {
  return `${textOf(example['kind'])} ${versionOf(example)}`;
}

/**
 * Test `olm-crds-have-resources`: each owned kind lists the kinds of the objects that the operator creates for it. Source: operator-sdk
 * `internal/scorecard/tests/olm.go`.
 */
const crdsHaveResources: ManifestTest = ({ csv }) => {
  const errors = ownedEntriesIn(csv)
    .filter(({ resources }) => listOf(resources).length === 0)
    .map(({ kind, version }) => `the owned kind ${textOf(kind)} ${textOf(version)} lists no resources`);
  return {
    state: errors.length === 0 ? 'pass' : 'fail',
    log: [`read ${csv.name}`],
    errors,
    suggestions: errors.length === 0 ? [] : [resourcesHelp],
  };
};

const resourcesHelp =
  'write spec.customresourcedefinitions.owned[].resources into the base ClusterServiceVersion: kind, version and name of each';

/** Test `basic-check-spec`: suggests a `spec` for each example without one. Source: operator-sdk `internal/scorecard/tests/basic.go`. */
const checkSpec: ManifestTest = (subject) => {
  const parsed = examplesOf(subject);
  if ('problem' in parsed) return { state: 'fail', log: [], errors: [parsed.problem], suggestions: [] };
  const bare = parsed.examples.filter(({ spec }) => spec === undefined || spec === null);
  const suggestions = bare.map((example) => `add a spec to the example ${exampleName(example)}`);
  return { state: 'pass', log: [], errors: [], suggestions };
};

/** Tests that read the manifests. Each key is the name by which an entrypoint selects the test. */
const manifestTests: Readonly<Record<string, ManifestTest>> = {
  'basic-check-spec': checkSpec,
  'olm-crds-have-validation': crdsHaveValidation,
  'olm-crds-have-resources': crdsHaveResources,
  'olm-spec-descriptors': specDescriptors,
  'olm-status-descriptors': statusDescriptors,
};

/** Names of the tests in operator-sdk's image `scorecard-test`. Source: operator-sdk `images/scorecard-test/main.go`. */
export const builtInTests: readonly string[] = [...Object.keys(manifestTests), 'olm-bundle-validation'];

/**
 * Returns the name of the test in operator-sdk's image that an entrypoint runs, even if the image has no such test. Returns undefined for
 * programs other than `scorecard-test`. Ignores the image name, because many clusters mirror the image under another name.
 */
export function builtInName({ entrypoint }: ConfiguredTest): string | undefined {
  const [program = '', name = ''] = entrypoint;
  return posix.basename(program) === 'scorecard-test' ? name : undefined;
}

/** Runs a built-in test on a validated bundle. @param name one of {@link builtInTests} */
export function runBuiltIn(name: string, verdict: Pick<BundleVerdict, 'results' | 'bundle'>): TestResult {
  const { log, ...judgement } = judge(name, verdict);
  return { name, ...judgement, log: log.map((line) => `${line}\n`).join('') };
}

function judge(name: string, { results, bundle }: Pick<BundleVerdict, 'results' | 'bundle'>): Judgement {
  const test = manifestTests[name];
  if (test === undefined) return bundleValidation(results);
  const unreadable = unreadableBecause(results);
  const csv = bundle?.csv;
  if (bundle === undefined || csv === undefined || unreadable.length > 0)
    return { state: 'fail', log: ['the bundle cannot be read'], errors: unreadable, suggestions: [] };
  return test({ csv, crds: bundle.crds });
}

/** Validators that scorecard runs: `format`, which checks the files of the bundle, and the default validators of operator-framework. */
const validators: ReadonlySet<string> = new Set(['format', 'bundle', 'csv', 'crd']);

/** Runs the test `olm-bundle-validation`. Source: operator-sdk `internal/scorecard/tests/olm.go` `BundleValidationTest`. */
function bundleValidation(results: readonly BundleResult[]): Judgement {
  const own = joinResults(
    // Include the finding `bundle/no-csv`, because operator-framework cannot read a bundle without a ClusterServiceVersion. In op-sdk, the
    // validator `content` reports this.
    results.filter(({ validator, rule }) => validators.has(validator) || rule === 'bundle/no-csv'),
  );
  const errors = own.filter(({ level }) => level === 'error').map(asLine);
  const suggestions = own.filter(({ level }) => level === 'warning').map(asLine);
  const log = [`ran the validators ${[...validators].join(', ')}`];
  return { state: errors.length === 0 ? 'pass' : 'fail', log, errors, suggestions };
}

/**
 * Codes of `format` that only `olm-bundle-validation` reports. Errors of `format` with other codes make the bundle unreadable to the other
 * tests.
 */
const ofMetadata: ReadonlySet<string> = new Set([
  'bundle/missing-annotation',
  'bundle/invalid-annotation',
  'bundle/invalid-dependency',
]);

/** Returns the errors that make a bundle unreadable; empty if it can be read. */
function unreadableBecause(results: readonly BundleResult[]): readonly string[] {
  return joinResults(
    results.filter(
      ({ validator, rule, level }) =>
        level === 'error' && ((validator === 'format' && !ofMetadata.has(rule)) || rule === 'bundle/no-csv'),
    ),
  ).map(asLine);
}

function asLine({ code, message, where }: JoinedFinding): string {
  return `${where === undefined ? '' : `${formatWhere(where)}: `}${message} [${code}]`;
}
