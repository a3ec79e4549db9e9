import type { JsonMap } from '../../../../base/util/json-map.ts';
import { annotationText } from '../../validate/annotations.ts';
import { mapOf, textOf } from '../../validate/fields.ts';
import { ownedEntriesIn } from '../../validate/owned-kinds.ts';
import { parseExamples, type ParsedExamples } from '../../validate/parse-examples.ts';
import type { BundleObject } from '../../validate/types.ts';
import type { Judgement } from '../test-result.ts';

/** Subject of the tests: a bundle that can be read. */
export interface Subject {
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
