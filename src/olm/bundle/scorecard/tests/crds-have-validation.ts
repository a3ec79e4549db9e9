import { fromV1beta1 } from '../../../../kubernetes/crd/document/v1beta1.ts';
import { isJsonMap, type JsonMap } from '../../../../base/util/json-map.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../validate/fields.ts';
import type { BundleObject } from '../../validate/types.ts';
import type { Judgement } from '../test-result.ts';
import { exampleName, judgeExamples, versionOf, type ManifestTest } from './subject.ts';

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
