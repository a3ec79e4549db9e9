import type { FindingList } from '../../base/errors/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { pathText } from '../../base/util/read-json.ts';
import { isJsonMap } from '../../base/util/json-map.ts';
import type { ObjectReader } from './object-reader.ts';
import { isEmptyIcon } from './csv.ts';

/** Reports missing fields and unreplaced placeholders of a base ClusterServiceVersion. */
export function checkBase(
  findings: FindingList,
  warnings: FindingList,
  read: ObjectReader,
  base: PlacedObject,
): void {
  const fix = ['fill it in, or answer with `op-sdk generate kustomize manifests --interactive`'];
  // A missing display name is an error, because OLM requires it in ClusterServiceVersions. A missing description is only a warning, because
  // OLM installs without one.
  for (const [field, list] of [
    ['displayName', findings],
    ['description', warnings],
  ] as const) {
    if ((read.text(base, 'spec', field) ?? '').trim() !== '') continue;
    list.add({
      code: 'bundle/incomplete-base',
      message: `the base ClusterServiceVersion has no spec.${field}`,
      where: base.where,
      fix,
    });
  }
  for (const path of placeholdersIn(base.object['spec'], ['spec'])) {
    warnings.add({
      code: 'bundle/placeholder',
      message: `${pathText(path)} of the base ClusterServiceVersion is a placeholder that was not replaced`,
      where: base.where,
      fix,
    });
  }
  const install = read.map(base, 'spec', 'install', 'spec');
  const lost = ['deployments', 'permissions', 'clusterPermissions'].filter((field) => {
    const written = install[field];
    return Array.isArray(written) && written.length > 0;
  });
  if (lost.length > 0) {
    warnings.add({
      code: 'bundle/lost-field',
      message: `the base ClusterServiceVersion has ${lost.map((field) => `spec.install.spec.${field}`).join(', ')}, which op-sdk ignores: this part of the bundle comes only from the Deployments, roles and bindings among the objects`,
      where: base.where,
      fix: [
        'write this part as Deployment, roles and bindings into config, and remove the ignored fields from the base',
      ],
    });
  }
  const icon = read.map(base, 'spec')['icon'];
  if (icon !== undefined && icon !== null && isEmptyIcon(icon)) {
    warnings.add({
      code: 'bundle/empty-icon',
      message:
        'spec.icon of the base ClusterServiceVersion is empty; it is left out, because catalogues refuse it',
      where: base.where,
      fix: ['remove spec.icon, or put an icon for the operator into it: base64data and mediatype'],
    });
  }
}

/** Placeholder texts that scaffolding tools write and that a person must replace. */
const placeholders: readonly RegExp[] = [
  /^your@email\.com$/i,
  /^maintainer name$/i,
  /^provider name$/i,
  /^https:\/\/your\.domain\/?$/i,
  /\bdescription\. TODO\.$/,
];

/** Returns true for a placeholder text, which a scaffolding tool wrote and a person must replace. */
export function isPlaceholder(text: string): boolean {
  return placeholders.some((pattern) => pattern.test(text.trim()));
}

/** Returns the paths of all texts inside a value that are placeholders. */
export function placeholdersIn(
  value: unknown,
  path: readonly (string | number)[],
): readonly (readonly (string | number)[])[] {
  if (typeof value === 'string') return isPlaceholder(value) ? [path] : [];
  if (Array.isArray(value))
    return (value as unknown[]).flatMap((item, index) => placeholdersIn(item, [...path, index]));
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => placeholdersIn(inner, [...path, key]));
}
