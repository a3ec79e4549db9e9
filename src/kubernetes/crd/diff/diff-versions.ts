import { canonicalJson, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { ChangeCode } from './change-codes.ts';
import type { ReportedChange } from './change.ts';
import { compareSchemas, type ReportAt } from './compare-schemas.ts';
import type { Definition, DefinitionVersion } from './definition.ts';
import { newLosses, type VersionLoss } from './version-loss.ts';

/** Receives a change that was found in a version. */
type ReportOfVersion = (version: string, path: string, change: ReportedChange) => void;

/** Compares the list of versions, the storage version, and the contents of each version of two definitions. */
export function diffVersions(old: Definition, now: Definition, reportChange: ReportOfVersion): void {
  const removed = new Set<string>();
  const report: ReportOfVersion = (version, path, change) => {
    if (removals.has(change.code)) removed.add(`${version} ${path}`);
    reportChange(version, path, change);
  };
  const before = new Map(old.versions.map((version) => [version.name, version]));
  const after = new Map(now.versions.map((version) => [version.name, version]));
  const renamed = renames(old, now);
  for (const version of old.versions) {
    const successor = renamed.get(version.name);
    const same = after.get(version.name);
    if (same !== undefined) diffVersion(version, same, old, now, report);
    else reportRemoved(version, successor, old, report);
    if (successor !== undefined) diffSettings(version, successor, ofVersion(report, successor.name));
  }
  const names = new Set([...renamed.values()].map(({ name }) => name));
  for (const { name, served } of now.versions) {
    if (before.has(name) || names.has(name)) continue;
    const message = served ? 'a new version' : 'a new version that is not served';
    report(name, 'spec.versions', { code: 'version-added', message });
  }
  diffStorage(old, now, report);
  reportLosses(newLosses(old, now), removed, report);
}

/** Codes of changes that already report lost data in a version, so that the loss by conversion is not reported a second time. */
const removals: ReadonlySet<string> = new Set<ChangeCode>([
  'field-removed',
  'map-values-removed',
  'nullable-removed',
  'unknown-fields-pruned',
]);

/** Verb phrases for messages about lost data: first for one version, then for several versions. */
const keeps = {
  field: ['declares the field', 'declare the field'],
  keys: ['keeps fields that are not declared', 'keep fields that are not declared'],
  null: ['allows null', 'allow null'],
} as const;

function reportLosses(
  losses: readonly VersionLoss[],
  removed: ReadonlySet<string>,
  report: ReportOfVersion,
): void {
  const sources = new Map<string, { readonly loss: VersionLoss; readonly names: string[] }>();
  for (const loss of losses) {
    const { code, version, source, path, what } = loss;
    if (removed.has(`${version} ${path}`)) continue;
    const key = `${code} ${version} ${what} ${path}`;
    const same = sources.get(key);
    if (same === undefined) sources.set(key, { loss, names: [source] });
    else same.names.push(source);
  }
  for (const { loss, names } of sources.values()) {
    const { code, version, path, what } = loss;
    const stored = code === 'storage-version-lacks-field' ? ', in which objects are stored,' : '';
    const has = keeps[what][names.length === 1 ? 0 : 1];
    const message = `${names.join(' and ')} ${has}; ${version}${stored} does not`;
    report(version, path, { code, message });
  }
}

/** Maps each removed version to a new version with the same schema. A new version is used at most once. */
function renames(old: Definition, now: Definition): ReadonlyMap<string, DefinitionVersion> {
  const names = new Set(old.versions.map(({ name }) => name));
  const added = now.versions.filter(({ name }) => !names.has(name));
  const kept = new Set(now.versions.map(({ name }) => name));
  const result = new Map<string, DefinitionVersion>();
  for (const { name, schema } of old.versions) {
    if (kept.has(name)) continue;
    const index = added.findIndex((version) => canonicalJson(version.schema) === canonicalJson(schema));
    const [successor] = index < 0 ? [] : added.splice(index, 1);
    if (successor !== undefined) result.set(name, successor);
  }
  return result;
}

function reportRemoved(
  { name, served, deprecated }: DefinitionVersion,
  successor: DefinitionVersion | undefined,
  old: Definition,
  report: ReportOfVersion,
): void {
  if (successor !== undefined) {
    const message = `${name} became ${successor.name}, with the same schema`;
    report(name, 'spec.versions', { code: 'version-renamed', message });
  } else if (served) {
    const message = deprecated
      ? 'the version was removed'
      : 'the version was removed, and was not deprecated before';
    report(name, 'spec.versions', { code: 'version-removed', message });
  }
  if (old.storedVersions.includes(name))
    report(name, 'spec.versions', {
      code: 'stored-version-removed',
      message: 'the version was removed, but objects may still be stored in it',
    });
  else if (!served && successor === undefined)
    report(name, 'spec.versions', {
      code: 'documentation',
      message: 'the version was removed; it was neither served nor stored',
    });
}

function diffVersion(
  old: DefinitionVersion,
  now: DefinitionVersion,
  oldDefinition: Definition,
  definition: Definition,
  report: ReportOfVersion,
): void {
  const here = ofVersion(report, now.name);
  if (old.served !== now.served)
    here('spec.versions', {
      code: now.served ? 'version-served' : 'version-unserved',
      message: now.served ? 'the version is served now' : 'the version is no longer served',
    });
  if (!old.deprecated && now.deprecated)
    here('spec.versions', {
      code: 'version-deprecated',
      message: 'the version is deprecated now',
      ...successorNote(now, definition),
    });
  else if (old.deprecated && !now.deprecated)
    here('spec.versions', {
      code: 'version-undeprecated',
      message: 'the version is no longer deprecated',
    });
  else if (old.deprecationWarning !== now.deprecationWarning)
    here('spec.versions', {
      code: 'deprecation-warning-changed',
      message: 'the text of the deprecation warning changed',
    });
  diffSettings(old, now, here);
  // The end of `preserveUnknownFields` is reported once for the definition. Reporting it again for every object in the schema would be
  // noise.
  const isPruned = oldDefinition.keepsUnknown && !definition.keepsUnknown;
  if (!isPruned) compareSchemas(old.schema, now.schema, here);
  else
    compareSchemas(old.schema, now.schema, (path, change) => {
      if (change.code !== 'unknown-fields-pruned') here(path, change);
    });
}

/**
 * Returns the stability of a version by its name: 3 for stable, 2 for beta, 1 for alpha, 0 for other names. Source: apimachinery
 * `pkg/version/helpers.go`.
 */
function stability(name: string): number {
  const match = /^v\d+(?:(alpha|beta)\d+)?$/.exec(name);
  if (match === null) return 0;
  return match[1] === undefined ? 3 : match[1] === 'beta' ? 2 : 1;
}

function successorNote(version: DefinitionVersion, definition: Definition): { readonly note?: string } {
  const hasSuccessor = definition.versions.some(
    ({ name, served, deprecated }) =>
      name !== version.name && served && !deprecated && stability(name) >= stability(version.name),
  );
  if (hasSuccessor) return {};
  return {
    note: 'No other served version is as stable: the deprecation policy of Kubernetes allows a deprecation only in favour of one that is.',
  };
}

function diffStorage(old: Definition, now: Definition, report: ReportOfVersion): void {
  const before = old.versions.find(({ storage }) => storage);
  const after = now.versions.find(({ storage }) => storage);
  if (before === undefined || after === undefined || before.name === after.name) return;
  const message = `objects are stored in ${after.name} now, not in ${before.name}`;
  const isKnown = old.versions.some(({ name }) => name === after.name);
  const code = isKnown ? 'storage-version-changed' : 'storage-version-unreleased';
  report(after.name, 'spec.versions', { code, message });
}

function ofVersion(report: ReportOfVersion, version: string): ReportAt {
  return (path, change) => report(version, path, change);
}

/** Compares the settings of a version other than its schema: subresources, printer columns and selectable fields. */
function diffSettings(old: DefinitionVersion, now: DefinitionVersion, report: ReportAt): void {
  diffSubresources(old, now, report);
  diffColumns(old, now, report);
  for (const path of old.selectableFields.filter((item) => !now.selectableFields.includes(item)))
    report(path, {
      code: 'selectable-field-removed',
      message: 'field selectors can no longer name the field',
    });
  for (const path of now.selectableFields.filter((item) => !old.selectableFields.includes(item)))
    report(path, { code: 'selectable-field-added', message: 'field selectors can name the field' });
}

function diffSubresources(old: DefinitionVersion, now: DefinitionVersion, report: ReportAt): void {
  if (old.hasStatus !== now.hasStatus)
    report('subresources.status', {
      code: now.hasStatus ? 'status-added' : 'status-removed',
      message: now.hasStatus ? 'the status subresource is new' : 'the status subresource was removed',
    });
  if (old.scale === undefined && now.scale !== undefined)
    report('subresources.scale', { code: 'scale-added', message: 'the scale subresource is new' });
  else if (old.scale !== undefined && now.scale === undefined)
    report('subresources.scale', { code: 'scale-removed', message: 'the scale subresource was removed' });
  else if (old.scale !== undefined && now.scale !== undefined) {
    for (const field of ['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath']) {
      const [before, after] = [jsonTextOf(old.scale[field]), jsonTextOf(now.scale[field])];
      if (before === after) continue;
      const message = `${before || 'nothing'} became ${after || 'nothing'}`;
      report(`subresources.scale.${field}`, { code: 'scale-changed', message });
    }
  }
}

function diffColumns(old: DefinitionVersion, now: DefinitionVersion, report: ReportAt): void {
  const [before, after] = [columnsOf(old), columnsOf(now)];
  const change = (name: string, message: string): void =>
    report(`additionalPrinterColumns[${JSON.stringify(name)}]`, { code: 'printer-columns-changed', message });
  for (const [name, column] of before) {
    const same = after.get(name);
    if (same === undefined) change(name, 'the column was removed');
    else if (same !== column) change(name, 'the column changed');
  }
  for (const name of after.keys()) if (!before.has(name)) change(name, 'the column is new');
  const shared = (names: Iterable<string>, others: ReadonlyMap<string, string>): string =>
    [...names].filter((name) => others.has(name)).join('\n');
  if (shared(before.keys(), after) !== shared(after.keys(), before))
    report('additionalPrinterColumns', {
      code: 'printer-columns-changed',
      message: 'the columns are in another order',
    });
}

/**
 * Returns the printer columns by name. If several columns have the same name, only the last one is compared, which is sufficient for a
 * comparison of tables.
 */
function columnsOf(version: DefinitionVersion): ReadonlyMap<string, string> {
  return new Map(
    version.printerColumns.map((value) => {
      const column = jsonMapOf(value);
      // A column without a priority has priority 0.
      return [jsonTextOf(column['name']), canonicalJson({ priority: 0, ...column })];
    }),
  );
}
