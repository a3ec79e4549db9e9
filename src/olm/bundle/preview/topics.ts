import { joinResults, type JoinedFinding } from '../validate/findings/join-results.ts';
import type { BundleResult } from '../validate/findings/collect-findings.ts';
import { ownedEntriesIn, ownedPath } from '../validate/owned-kinds.ts';
import { textOf } from '../validate/fields.ts';
import type { BundleVerdict } from '../validate/validate-bundle.ts';
import type { FieldPath, LoadedBundle } from '../validate/types.ts';

/** Part of the page beside which findings are shown; a number is that of an owned kind. */
export type Topic = 'summary' | 'description' | 'kinds' | 'permissions' | 'channels' | 'other' | number;

/** The findings of a bundle by what they are about, each joined as `bundle validate` prints them. */
export function findingsByTopic({
  results,
  bundle,
}: Pick<BundleVerdict, 'results' | 'bundle'>): (topic: Topic) => readonly JoinedFinding[] {
  const groups = new Map<Topic, BundleResult[]>();
  for (const result of results) {
    const topic = bundle?.csv === undefined ? 'other' : topicOf(result, bundle);
    groups.set(topic, [...(groups.get(topic) ?? []), result]);
  }
  return (topic) => joinResults(groups.get(topic) ?? []);
}

function topicOf({ where, path }: BundleResult, bundle: LoadedBundle): Topic {
  if (where === undefined || !('file' in where)) return 'other';
  const { file } = where;
  const { csv, crds, objects, annotations } = bundle;
  if (csv?.file === file) return path === undefined ? 'other' : topicOfField(path);
  const crd = crds.find((each) => each.file === file);
  if (crd !== undefined) {
    const owned = csv === undefined ? [] : ownedEntriesIn(csv);
    const index = owned.findIndex((entry) => textOf(entry['name']) === crd.name);
    return index === -1 ? 'kinds' : index;
  }
  if (annotations?.file === file) return 'channels';
  return objects.find((object) => object.file === file)?.apiVersion.startsWith('rbac.') === true
    ? 'permissions'
    : 'other';
}

/** Topics of the fields of a ClusterServiceVersion. */
const fields: readonly (readonly [FieldPath, Topic])[] = [
  [['metadata', 'annotations', 'alm-examples'], 'kinds'],
  [['metadata', 'annotations', 'olm.skipRange'], 'channels'],
  [['metadata', 'annotations'], 'summary'],
  [['metadata', 'name'], 'summary'],
  [['spec', 'description'], 'description'],
  [['spec', 'customresourcedefinitions'], 'kinds'],
  [['spec', 'apiservicedefinitions'], 'kinds'],
  [['spec', 'install', 'spec', 'permissions'], 'permissions'],
  [['spec', 'install', 'spec', 'clusterPermissions'], 'permissions'],
  [['spec', 'webhookdefinitions'], 'permissions'],
  [['spec', 'replaces'], 'channels'],
  [['spec', 'skips'], 'channels'],
  ...[
    ...['displayName', 'version', 'icon', 'maturity', 'provider', 'links', 'maintainers', 'keywords'],
    ...['minKubeVersion', 'installModes'],
  ].map((field) => [['spec', field], 'summary'] as const),
];

function topicOfField(path: FieldPath): Topic {
  const index = path[ownedPath.length];
  if (startsWith(path, ownedPath) && typeof index === 'number') return index;
  return fields.find(([field]) => startsWith(path, field))?.[1] ?? 'other';
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.every((key, index) => path[index] === key);
}
