import { createHash } from 'node:crypto';
import { compareBuild, valid } from 'semver';
import { OpSdkError } from '../../base/errors/index.ts';
import { isEqualJson, isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { parseKubernetesYaml, toYaml } from '../../kubernetes/yaml/index.ts';
import type { ChartPackage } from './package.ts';

/** File name of the index of a chart repository. */
export const indexFile = 'index.yaml';

/** Input for {@link withPackage}. */
export interface IndexInput {
  /** Path of the index, for errors. */
  readonly file: string;
  /** Text of the index, if there is one. */
  readonly text: string | undefined;
  readonly chart: ChartPackage;
  /** URL of the folder with the packages, without a trailing slash; undefined for URLs relative to the index. */
  readonly url: string | undefined;
  readonly now: Date;
  /** True to replace the entry of the version even if its package has other content. */
  readonly force: boolean;
}

/**
 * Adds a package to the index of a repository, as `helm repo index --merge` does: the newest version of each chart comes first. All other
 * entries are kept, and so is an existing entry of the same package.
 *
 * @returns the text of the index, which is unchanged if the index already contains the package
 * @throws OpSdkError `chart/bad-index`, `chart/version-exists`
 * @see https://helm.sh/docs/topics/chart_repository/#the-index-file
 */
export function withPackage({ file, text, chart, url, now, force }: IndexInput): string {
  const index = text === undefined ? { apiVersion: 'v1', entries: {} } : readIndex(text, file);
  const { name, version, metadata } = chart;
  const entries = jsonMapOf(index['entries']);
  const others: readonly JsonMap[] = jsonListOf(entries[name]).map((each) => jsonMapOf(each));
  const present = others.find((each) => each['version'] === version);
  const digest = createHash('sha256').update(chart.bytes).digest('hex');
  if (present !== undefined && present['digest'] !== digest && !force)
    throw new OpSdkError({
      code: 'chart/version-exists',
      message: `${file} has version ${version} of ${name} with other content`,
      where: { file },
      fix: ['raise the version in package.json, or name one with --version', 'replace it with --force'],
    });
  const urls = [url === undefined ? chart.file : `${url}/${chart.file}`];
  const created = present?.['digest'] === digest ? present['created'] : undefined;
  const entry = { ...metadata, created: created ?? now.toISOString(), digest, urls };
  if (text !== undefined && isEqualJson(present, entry)) return text;
  const versions = [...others.filter((each) => each !== present), entry].sort(newestFirst);
  return toYaml({ ...index, entries: { ...entries, [name]: versions }, generated: now.toISOString() });
}

function readIndex(text: string, file: string): JsonMap {
  const index = parseKubernetesYaml(text, file)[0]?.value;
  if (isJsonMap(index) && index['apiVersion'] === 'v1' && isJsonMap(index['entries'] ?? {})) return index;
  throw new OpSdkError({
    code: 'chart/bad-index',
    message: `${file} is not the index of a repository of charts: expected apiVersion v1 and entries`,
    where: { file },
    fix: ['restore it, or name another folder with --repository-index'],
  });
}

/** Compares entries by their versions. Entries whose version is not semantic come last, in any order. */
function newestFirst(a: JsonMap, b: JsonMap): number {
  const [left, right] = [a['version'], b['version']].map((version) =>
    valid(String(version), { loose: true }),
  );
  if (left == null || right == null) return Number(left == null) - Number(right == null);
  return compareBuild(String(b['version']), String(a['version']), { loose: true });
}
