import { basename, dirname, join } from 'node:path';
import { statsAt } from '../../../../base/util/fs.ts';
import { annotationText } from '../annotations.ts';
import { copiedSources, dockerfileLabels, type DockerfileLabel } from '../dockerfile.ts';
import { mapOf } from '../fields.ts';
import { readText } from '../read-folder.ts';
import type { PlacedDocument } from '../types.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/labels-differ': {
    validators: { opsdk: 'warning' },
    title: 'The Dockerfile and the annotations say different things',
    explain:
      "Some tools read the labels of the bundle's image, others metadata/annotations.yaml in it. Both should be the same; OLM installs the bundle anyway, so this is a warning.",
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

const name = 'bundle.Dockerfile';

/** Prefix of the image labels that OLM's tools read. These labels have the same keys and values as the annotations. */
const ours = 'operators.operatorframework.io.';

/**
 * Compares the labels of `bundle.Dockerfile` with `metadata/annotations.yaml`. They should agree, because OLM reads only the labels or only
 * the annotations. The Dockerfile may be in the bundle's folder or beside that folder; a Dockerfile beside it is compared only if it copies
 * this bundle. Differences are warnings, because the image may have been built in another way.
 */
const checkDockerfile: Check<Rules, 'opsdk'> = async (bundle, report) => {
  const { annotations } = bundle;
  if (annotations === undefined) return;
  const inside = { path: join(bundle.path, name), file: join(bundle.dir, name) };
  const beside = { path: join(dirname(bundle.path), name), file: join(bundle.dir, '..', name) };
  for (const place of [inside, beside]) {
    const text = await textAt(place.path, place.file);
    if (text === undefined) continue;
    const folder = `${basename(bundle.path)}/`;
    if (
      place === beside &&
      !copiedSources(text).some((source) => source.replace(/^\.\//, '').startsWith(folder))
    )
      continue;
    compare(dockerfileLabels(text), place.file, annotations, report);
    return;
  }
};

async function textAt(path: string, file: string): Promise<string | undefined> {
  const entry = await statsAt(path);
  if (entry?.isFile() !== true) return undefined;
  const text = readText(path, file, entry.size);
  return typeof text === 'string' ? text : undefined;
}

function compare(
  labels: readonly DockerfileLabel[],
  file: string,
  annotations: PlacedDocument,
  { warn }: Report<Rules, 'opsdk'>,
): void {
  const wanted = mapOf(annotations.value['annotations']);
  for (const [key, value] of Object.entries(wanted)) {
    const text = annotationText(value);
    const label = labels.find((candidate) => candidate.key === key);
    if (!key.startsWith(ours) || text === undefined) continue;
    if (label === undefined) {
      const message = `${annotations.file} has the annotation ${key}, but ${file} has no label with this name`;
      const fix = `add LABEL ${key}=${text} to ${file}`;
      warn('bundle/labels-differ', [annotations, ['annotations', key]], message, fix);
    } else if (label.value !== undefined && label.value !== text) {
      warn(
        'bundle/labels-differ',
        { file, line: label.line },
        `the label ${key} is ${JSON.stringify(label.value)}, but ${JSON.stringify(text)} in ${annotations.file}`,
        'give both the same value; `op-sdk generate bundle` writes them from one table',
      );
    }
  }
  for (const { key, line } of labels) {
    if (!key.startsWith(ours) || key in wanted) continue;
    warn(
      'bundle/labels-differ',
      { file, line },
      `the Dockerfile has the label ${key}, but ${annotations.file} has no annotation with this name`,
      `add the annotation ${key} to ${annotations.file}`,
    );
  }
}

export const dockerfileRules = ruleModule<typeof rules, Rules>(rules, { opsdk: [checkDockerfile] });
