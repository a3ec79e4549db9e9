import { fromV1beta1 } from '../../../../kubernetes/crd/index.ts';
import { isJsonMap, type JsonMap } from '../../../../base/util/json-map.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../validate/fields.ts';
import type { BundleObject } from '../../validate/types.ts';
import type { Judgement } from '../configuration.ts';
import { annotationText } from '../../validate/annotations.ts';
import { ownedEntriesIn, parseExamples, type ParsedExamples } from '../../validate/owned-kinds.ts';

/** Subject of the tests: a bundle that can be read. */
interface Subject {
  readonly csv: BundleObject;
  readonly crds: readonly BundleObject[];
}

/** One of the built-in tests that read the manifests. */
export type ManifestTest = (subject: Subject) => Judgement;

/** The custom resources in the annotation `alm-examples`; `olm.examples` is not read. */
export function examplesOf({ csv }: Subject): ParsedExamples {
  const text = annotationText(mapOf(mapOf(csv.value['metadata'])['annotations'])['alm-examples']);
  const parsed = parseExamples(text ?? '');
  return 'examples' in parsed ? parsed : { problem: `the annotation alm-examples ${parsed.problem}` };
}

/** Judges each example; without examples that can be read, there is nothing to judge. */
export function judgeExamples(
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

/** The entry of an example among the owned kinds. Like operator-sdk, it is found by kind and version, without the group. */
export function ownedEntryOf({ csv }: Subject, example: JsonMap): JsonMap | undefined {
  const version = versionOf(example);
  return ownedEntriesIn(csv).find(
    (entry) => textOf(entry['kind']) === example['kind'] && textOf(entry['version']) === version,
  );
}

/** The version in an object's apiVersion. */
export function versionOf(example: JsonMap): string {
  return textOf(example['apiVersion']).split('/').at(-1) ?? '';
}

/** Returns the name of an example for messages. */
export function exampleName(example: JsonMap): string {
  return `${textOf(example['kind'])} ${textOf(mapOf(example['metadata'])['name'])}`.trimEnd();
}

/** A version of a kind in a CustomResourceDefinition. */
interface DefinedVersion {
  readonly kind: string;
  readonly version: string;
  /** Undefined if the version has none. */
  readonly schema: JsonMap | undefined;
}

/** `olm-crds-have-validation`: the schemas know each field of an example's spec and status. Source: operator-sdk `internal/scorecard/tests/olm.go`. */
export const crdsHaveValidation: ManifestTest = (subject) => {
  const read = subject.crds.map(definedVersions);
  const errors = read.flatMap((versions) => ('problems' in versions ? versions.problems : []));
  if (errors.length > 0) return { state: 'error', log: [], errors, suggestions: [] };
  const defined = read.flatMap((versions) => ('problems' in versions ? [] : versions));
  const judgement = judgeExamples(subject, (example) => {
    // Like operator-sdk: kind and version in any case, without the group.
    const own = defined.filter(
      ({ kind, version }) => isSame(kind, textOf(example['kind'])) && isSame(version, versionOf(example)),
    );
    return combine(own.map((version) => judge(example, version)));
  });
  return { ...judgement, log: [...judgement.log, `read ${subject.crds.length} CustomResourceDefinitions`] };
};

type Part = Pick<Judgement, 'errors' | 'suggestions'> & { readonly failed: boolean };

function judge(example: JsonMap, { kind, version, schema }: DefinedVersion): Part {
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
