import { isJsonMap, type JsonMap } from '../../../../base/util/json-map.ts';
import { listOf, mapOf, textOf } from '../../validate/fields.ts';
import { exampleName, judgeExamples, ownedEntryOf, versionOf, type ManifestTest } from './subject.ts';

/** `olm-spec-descriptors`: each field of an example's spec has a descriptor. Source: operator-sdk `internal/scorecard/tests/olm.go`. */
export const specDescriptors: ManifestTest = (subject) =>
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

/** `olm-status-descriptors`: a kind whose example has a status has descriptors of it. Source: the same. */
export const statusDescriptors: ManifestTest = (subject) =>
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
