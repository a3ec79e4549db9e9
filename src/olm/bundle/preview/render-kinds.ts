import type { JsonMap } from '../../../base/util/json-map.ts';
import { toYaml } from '../../../kubernetes/yaml/to-yaml.ts';
import type { TemplateModel } from '../../../project/scaffold/engine.ts';
import { renderPreview, type Markup } from '../../../project/scaffold/sets/preview.ts';
import { annotationText } from '../validate/annotations.ts';
import { fieldAt, listOf, mapOf, textOf, textsOf } from '../validate/fields.ts';
import type { JoinedFinding } from '../validate/findings/join-results.ts';
import { groupInName, ownedEntriesIn } from '../validate/owned-kinds.ts';
import { parseExamples } from '../validate/parse-examples.ts';
import type { BundleObject } from '../validate/types.ts';
import { renderFindings } from './render-findings.ts';

/** The owned kinds of an operator, a panel each, with their samples and findings. */
export async function renderKinds(
  csv: BundleObject,
  findingsOf: (index: number) => readonly JoinedFinding[],
): Promise<readonly Markup[]> {
  const samples = samplesOf(csv);
  const panels: Markup[] = [];
  for (const [index, entry] of ownedEntriesIn(csv).entries()) {
    const name = textOf(entry['name']);
    const kind = textOf(entry['kind']);
    const version = textOf(entry['version']);
    const isSample = (sample: JsonMap): boolean =>
      sample['kind'] === kind && sample['apiVersion'] === `${groupInName(name)}/${version}`;
    const id = `kind-${index + 1}`;
    const title = textOf(entry['displayName']) || kind;
    panels.push(
      await renderPreview('kind.html', {
        ...{ id, title, name: `${kind} ${name}/${version}`, description: textOf(entry['description']) },
        findings: await renderFindings(findingsOf(index)),
        resources: listOf(entry['resources']).map((resource) => {
          const { kind: owned, version: its } = mapOf(resource);
          return `${textOf(owned)} ${textOf(its)}`;
        }),
        fields: descriptorLists.flatMap(([field, shown]) =>
          descriptors(entry, field, `${id}-${field}`, shown),
        ),
        samples: samples.filter(isSample).map((sample, at) => ({
          id: `${id}-sample-${at + 1}`,
          title: `Sample ${textOf(fieldAt(sample, 'metadata', 'name'))}`.trimEnd(),
          yaml: toYaml(sample),
        })),
      }),
    );
  }
  return panels;
}

const descriptorLists = [
  ['specDescriptors', 'Fields of spec'],
  ['statusDescriptors', 'Fields of status'],
  ['actionDescriptors', 'Actions'],
] as const;

function descriptors(entry: JsonMap, field: string, id: string, title: string): readonly TemplateModel[] {
  const entries = listOf(entry[field])
    .map(mapOf)
    .map((descriptor) => ({
      name: textOf(descriptor['displayName']),
      path: textOf(descriptor['path']),
      description: textOf(descriptor['description']),
      hints: textsOf(descriptor['x-descriptors']),
    }));
  return entries.length === 0 ? [] : [{ id, title: `${title} (${entries.length})`, entries }];
}

/** The examples of `alm-examples`; none if they cannot be read, which is a finding. */
function samplesOf(csv: BundleObject): readonly JsonMap[] {
  const text = annotationText(fieldAt(csv.value, 'metadata', 'annotations', 'alm-examples')) ?? '';
  const parsed = parseExamples(text);
  return 'problem' in parsed ? [] : parsed.examples;
}
