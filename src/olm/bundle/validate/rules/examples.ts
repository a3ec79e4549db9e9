import { fieldAt, listOf, mapOf, textOf } from '../fields.ts';
import { groupInName, ownedEntriesIn, ownedPath, parseExamples } from '../owned-kinds.ts';
import type { BundleObject, FieldPath } from '../types.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/no-example': {
    validators: { csv: 'warning' },
    title: 'A kind has no example',
    explain: 'Consoles let people create custom resources from the examples in the annotation alm-examples.',
  },
  'bundle/two-examples': {
    validators: { csv: 'warning' },
    title: 'Examples in two annotations',
    explain:
      'The examples are in alm-examples or in olm.examples. If both exist, the second one is not read.',
  },
  'bundle/invalid-example': {
    validators: { csv: 'error' },
    title: 'The examples cannot be read',
    explain: 'The annotation alm-examples is text that holds a JSON list of objects.',
  },
  'bundle/invalid-crd-name': {
    validators: { csv: 'error' },
    title: 'The name of an owned kind is not valid',
    explain: 'Owned kinds are named by their CustomResourceDefinition: <plural>.<group>.',
  },
  'bundle/example-without-api': {
    validators: { csv: 'error' },
    title: 'An example of a kind that the operator does not provide',
    explain: 'Nobody could create it where only this operator is installed.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/** A version of a kind that the operator provides. */
interface Provided {
  readonly id: string;
  readonly path: FieldPath;
}

/**
 * Checks that the examples in the annotation `alm-examples` match the kinds that the operator provides. Source: operator-framework/api
 * `pkg/validation/internal/csv.go` `validateExamplesAnnotations`.
 */
const checkExamples: Check<Rules, 'csv'> = ({ csv }, report) => {
  if (csv === undefined) return;
  const annotations = mapOf(mapOf(csv.value['metadata'])['annotations']);
  const [key, second] = ['alm-examples', 'olm.examples'].filter((name) => name in annotations);
  if (key === undefined) {
    const message = 'the annotation alm-examples is missing, from which consoles create new objects';
    const fix = 'put samples into config/samples; `op-sdk generate bundle` writes the annotation from them';
    report.warn('bundle/no-example', [csv, ['metadata', 'annotations']], message, fix);
    return;
  }
  const path = ['metadata', 'annotations', key];
  if (second !== undefined) {
    const message = `the ClusterServiceVersion has both annotations ${key} and ${second}; only ${key} is read`;
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

/** Returns the kinds of the examples in the annotation; undefined, after a report, if the examples cannot be read. */
function kindsOfExamples(
  csv: BundleObject,
  path: FieldPath,
  text: string,
  { error }: Report<Rules, 'csv'>,
): readonly string[] | undefined {
  const parsed = parseExamples(text);
  if ('examples' in parsed)
    return parsed.examples.map((example) => idOf(textOf(example['apiVersion']), textOf(example['kind'])));
  const message = `the annotation ${path.at(-1)} ${parsed.problem}`;
  error('bundle/invalid-example', [csv, path], message, 'write a JSON list of objects');
  return undefined;
}

function providedKinds(csv: BundleObject, { error }: Report<Rules, 'csv'>): readonly Provided[] {
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

export const exampleRules = ruleModule<typeof rules, Rules>(rules, { csv: [checkExamples] });
