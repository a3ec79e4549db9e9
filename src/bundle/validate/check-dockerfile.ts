import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isOpSdkError } from '../../errors/index.ts';
import { annotationText } from './check-annotations.ts';
import type { FindingCollector } from './collect-findings.ts';
import { copiedSources, dockerfileLabels, type DockerfileLabel } from './dockerfile-labels.ts';
import { mapOf } from './fields.ts';
import { readText } from './read-text.ts';
import type { LoadedBundle } from './types.ts';

const name = 'bundle.Dockerfile';
/** The labels that tools read from the image, which are the annotations once more. */
const ours = 'operators.operatorframework.io.';

/**
 * Compares the labels of `bundle.Dockerfile`, in the bundle or beside it, with `metadata/annotations.yaml`: OLM reads the one
 * or the other, so they should say the same. The folder alone says nothing of the image: differences are warnings. One beside the bundle counts only if it copies this bundle.
 */
export async function checkDockerfile(bundle: LoadedBundle, collector: FindingCollector): Promise<void> {
  const { annotations } = bundle;
  if (annotations === undefined) return;
  const inside = { path: join(bundle.path, name), file: join(bundle.dir, name) };
  const beside = { path: join(dirname(bundle.path), name), file: join(bundle.dir, '..', name) };
  for (const place of [inside, beside]) {
    const text = await textAt(place.path, place.file, collector);
    if (text === undefined) continue;
    const folder = `${basename(bundle.path)}/`;
    if (
      place === beside &&
      !copiedSources(text).some((source) => source.replace(/^\.\//, '').startsWith(folder))
    )
      continue;
    compare(dockerfileLabels(text), place.file, bundle, collector);
    return;
  }
}

async function textAt(path: string, file: string, collector: FindingCollector): Promise<string | undefined> {
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isFile() !== true) return undefined;
  try {
    return await readText(path, file, entry.size, collector);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    collector.addErrors(error.findings);
    return undefined;
  }
}

function compare(
  labels: readonly DockerfileLabel[],
  file: string,
  { annotations }: LoadedBundle,
  collector: FindingCollector,
): void {
  if (annotations === undefined) return;
  const wanted = mapOf(annotations.value['annotations']);
  for (const [key, value] of Object.entries(wanted)) {
    const text = annotationText(value);
    const label = labels.find((candidate) => candidate.key === key);
    if (!key.startsWith(ours) || text === undefined) continue;
    if (label === undefined) {
      const message = `${file} has no label ${key}, which ${annotations.file} has`;
      const fix = `add LABEL ${key}=${text} to ${file}`;
      collector.warn('bundle/labels-differ', [annotations, ['annotations', key]], message, fix);
    } else if (label.value !== undefined && label.value !== text) {
      collector.addWarnings([
        {
          code: 'bundle/labels-differ',
          message: `the label ${key} is ${JSON.stringify(label.value)}, but ${JSON.stringify(text)} in ${annotations.file}`,
          where: { file, line: label.line },
          fix: ['give both the same value; `op-sdk generate bundle` writes them from one table'],
        },
      ]);
    }
  }
  for (const { key, line } of labels) {
    if (!key.startsWith(ours) || key in wanted) continue;
    collector.addWarnings([
      {
        code: 'bundle/labels-differ',
        message: `${annotations.file} has no annotation ${key}, which is a label here`,
        where: { file, line },
        fix: [`add the annotation ${key} to ${annotations.file}`],
      },
    ]);
  }
}
