import type { DiffAction, ObjectDiff } from '../../cluster/index.ts';
import type { JsonMap } from '../../base/util/json-map.ts';
import { printable, printableLine } from '../../base/util/printable.ts';
import { unifiedDiff } from '../../base/util/unified-diff.ts';
import { toYaml } from '../../kubernetes/yaml/to-yaml.ts';
import { takeOverLines } from './object-lines.ts';

/** The actions in the order of the summary, and how they are called there. */
const words: Readonly<Record<DiffAction, string>> = {
  created: 'created',
  changed: 'changed',
  pruned: 'pruned',
  'not-compared': 'not compared',
  unchanged: 'unchanged',
};

/** For people and for tools that read patches: a line for each object, its difference below, and a summary. */
export function objectDiffsText(diffs: readonly ObjectDiff[]): string {
  return `${diffs.map(objectText).join('')}${summaryText(diffs)}\n`;
}

/** The document of `-o json`. */
export function objectDiffResult(diffs: readonly ObjectDiff[]): object {
  return {
    created: count(diffs, 'created'),
    changed: count(diffs, 'changed'),
    pruned: count(diffs, 'pruned'),
    notCompared: count(diffs, 'not-compared'),
    unchanged: count(diffs, 'unchanged'),
    objects: diffs.map(({ object, action, takesOver, changes, after }) => ({
      apiVersion: object.resource.apiVersion,
      kind: object.resource.kind,
      ...object.key,
      action,
      ...(takesOver.length === 0 ? {} : { takesOver }),
      ...(action === 'created' ? { object: after } : {}),
      ...(action === 'changed' ? { changes } : {}),
    })),
  };
}

function objectText({ object, action, takesOver, before, after }: ObjectDiff): string {
  const { namespace } = object.key;
  const why = action === 'not-compared' ? notCompared : [];
  const details = [...takeOverLines(takesOver), ...why].map((line) => `  ${line}\n`);
  const head = `${printableLine(object.title)} ${words[action]}\n${details.join('')}`;
  if (action === 'unchanged' || action === 'not-compared') return head;
  const name = printableLine(`${namespace === undefined ? '' : `${namespace}/`}${object.title}`);
  const difference = unifiedDiff(
    { name: `cluster/${name}`, text: yamlText(before) },
    { name: `manifest/${name}`, text: yamlText(after) },
  );
  return `${head}${difference}`;
}

const notCompared = [
  'only a deploy shows what it would be: its CustomResourceDefinition changes, or a webhook does not know dry runs',
];

const yamlText = (value: JsonMap | undefined): string | undefined => value && printable(toYaml(value));

function summaryText(diffs: readonly ObjectDiff[]): string {
  const actions = Object.keys(words) as DiffAction[];
  const parts = actions.flatMap((action) => {
    const found = count(diffs, action);
    return found === 0 ? [] : [`${found} ${words[action]}`];
  });
  return parts.join(', ');
}

function count(diffs: readonly ObjectDiff[], wanted: DiffAction): number {
  return diffs.filter(({ action }) => action === wanted).length;
}
