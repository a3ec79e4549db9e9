import {
  compareCodeUnits,
  jsonTextOf,
  canonicalJson,
  jsonListOf,
  jsonMapOf,
} from '../../../base/util/json-map.ts';
import { changeCodes } from './change-codes.ts';
import type { CrdChange, ReportedChange } from './change.ts';
import type { Severities } from './waivers.ts';
import type { Definition } from './definition.ts';
import { diffVersions } from './diff-versions.ts';
import type { ReportAt } from './compare-schemas.ts';

/**
 * Returns every difference between two sets of CustomResourceDefinitions, with its severity. Definitions are matched by name. A removed
 * definition is matched with a new definition of the same group and kind.
 *
 * A change is compatible for stored objects only if every valid object remains valid and keeps all of its data. Changes that cannot be
 * decided are breaking.
 *
 * @param severities severities that the project overrides
 * @returns the changes by definition; within a definition, changes of all versions come first, then the changes of each version in the
 * order of the versions; breaking changes come before compatible ones
 */
export function diffCrds(
  old: readonly Definition[],
  now: readonly Definition[],
  severities: Severities = {},
): readonly CrdChange[] {
  const changes: CrdChange[] = [];
  const left = new Map(now.map((definition) => [definition.name, definition]));
  const take = (definition: Definition): Definition | undefined => {
    const match = left.get(definition.name) ?? successor(definition, [...left.values()], old);
    if (match !== undefined) left.delete(match.name);
    return match;
  };
  for (const definition of old) {
    const add = (path: string, change: ReportedChange, version?: string): void => {
      changes.push(judged(changeOf(definition.name, path, change, version), severities));
    };
    const match = take(definition);
    if (match === undefined) {
      add('.', { code: 'crd-removed', message: 'the definition was removed' });
      continue;
    }
    const versions = [...definition.versions, ...match.versions].map(({ name }) => name);
    const start = changes.length;
    diffDefinition(definition, match, add);
    diffVersions(definition, match, (version, path, change) => add(path, change, version));
    sortChanges(changes, start, [...new Set(versions)]);
  }
  for (const { name } of left.values())
    changes.push(judged(changeOf(name, '.', { code: 'crd-added', message: 'a new definition' }), severities));
  // Array.sort is stable, so that the order of changes within a definition stays.
  return changes.sort((a, b) => compareCodeUnits(a.crd, b.crd));
}

function successor(
  { group, names }: Definition,
  candidates: readonly Definition[],
  old: readonly Definition[],
): Definition | undefined {
  const taken = new Set(old.map(({ name }) => name));
  return candidates.find(
    (candidate) =>
      !taken.has(candidate.name) &&
      candidate.group === group &&
      jsonTextOf(candidate.names['kind']) === jsonTextOf(names['kind']),
  );
}

function judged(change: CrdChange, severities: Severities): CrdChange {
  return { ...change, severity: severities[change.code] ?? change.severity };
}

function changeOf(
  crd: string,
  path: string,
  { code, message, note, affects, ratcheted }: ReportedChange,
  version?: string,
): CrdChange {
  const kind = changeCodes[code];
  return {
    code,
    severity: kind.severity,
    affects: affects ?? kind.affects,
    crd,
    ...(version === undefined ? {} : { version }),
    path,
    message,
    explanation: note === undefined ? kind.explain : `${kind.explain} ${note}`,
    ratcheted: ratcheted ?? kind.ratcheted,
  };
}

/**
 * Sorts the changes from index `start` on: first those that concern all versions, then those of each version; within each of these groups,
 * breaking changes before compatible ones.
 */
function sortChanges(changes: CrdChange[], start: number, versions: readonly string[]): void {
  const rank = ({ version, severity }: CrdChange): number =>
    (version === undefined ? -1 : versions.indexOf(version)) * 2 + (severity === 'breaking' ? 0 : 1);
  const sorted = changes
    .slice(start)
    .map((change, index) => ({ change, index }))
    .sort((a, b) => rank(a.change) - rank(b.change) || a.index - b.index);
  changes.splice(start, sorted.length, ...sorted.map(({ change }) => change));
}

/** Compares the fields of two definitions outside of their versions: scope, names, conversion, pruning, labels and annotations. */
function diffDefinition(old: Definition, now: Definition, report: ReportAt): void {
  if (old.scope !== now.scope)
    report('spec.scope', { code: 'scope-changed', message: `${old.scope} became ${now.scope}` });
  const plain = [
    ['plural', 'plural-changed'],
    ['kind', 'kind-changed'],
    ['listKind', 'list-kind-changed'],
    ['singular', 'singular-changed'],
  ] as const;
  for (const [field, code] of plain) {
    const [before, after] = [jsonTextOf(old.names[field]), jsonTextOf(now.names[field])];
    if (before !== after) report(`spec.names.${field}`, { code, message: `${before} became ${after}` });
  }
  const lists = [
    ['shortNames', 'short-name'],
    ['categories', 'category'],
  ] as const;
  for (const [field, code] of lists) {
    const [before, after] = [jsonListOf(old.names[field]), jsonListOf(now.names[field])].map((list) =>
      list.map(jsonTextOf),
    ) as [string[], string[]];
    for (const name of before.filter((item) => !after.includes(item)))
      report(`spec.names.${field}`, { code: `${code}-removed`, message: `${name} was removed` });
    for (const name of after.filter((item) => !before.includes(item)))
      report(`spec.names.${field}`, { code: `${code}-added`, message: `${name} is new` });
  }
  diffConversion(old, now, report);
  if (old.keepsUnknown !== now.keepsUnknown)
    report('spec.preserveUnknownFields', {
      code: now.keepsUnknown ? 'pruning-disabled' : 'pruning-enabled',
      message: `${old.keepsUnknown} became ${now.keepsUnknown}`,
    });
  diffTexts('labels', old, now, report);
  diffTexts('annotations', old, now, report);
}

function diffConversion(old: Definition, now: Definition, report: ReportAt): void {
  if (canonicalJson(old.conversion) === canonicalJson(now.conversion)) return;
  const [before, after] = [jsonTextOf(old.conversion['strategy']), jsonTextOf(now.conversion['strategy'])];
  if (before !== after) {
    const code = after === 'Webhook' ? 'conversion-added' : 'conversion-removed';
    report('spec.conversion.strategy', { code, message: `${before} became ${after}` });
    return;
  }
  const webhooks = [old, now].map(({ conversion }) => jsonMapOf(conversion['webhook']));
  for (const field of new Set(webhooks.flatMap((webhook) => Object.keys(webhook)))) {
    if (canonicalJson(webhooks[0]?.[field]) === canonicalJson(webhooks[1]?.[field])) continue;
    report(`spec.conversion.webhook.${field}`, { code: 'conversion-changed', message: `${field} changed` });
  }
}

/** Annotation that kubectl sets for its own use. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function diffTexts(
  field: 'labels' | 'annotations',
  old: Definition,
  now: Definition,
  report: ReportAt,
): void {
  for (const key of new Set([...Object.keys(old[field]), ...Object.keys(now[field])])) {
    const [before, after] = [old[field][key], now[field][key]];
    if (before === after || key === lastApplied) continue;
    const message =
      before === undefined ? 'is new' : after === undefined ? 'was removed' : `${before} became ${after}`;
    report(`metadata.${field}[${JSON.stringify(key)}]`, { code: 'metadata-changed', message });
  }
}
