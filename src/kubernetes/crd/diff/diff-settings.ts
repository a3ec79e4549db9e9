import { canonicalJson, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { ReportAt } from './compare-schemas.ts';
import type { DefinitionVersion } from './definition.ts';

/** Compares the settings of a version beside its schema: subresources, printer columns and selectable fields. */
export function diffSettings(old: DefinitionVersion, now: DefinitionVersion, report: ReportAt): void {
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

/** By name; of several with the same name only the last is compared, which is enough for tables. */
function columnsOf(version: DefinitionVersion): ReadonlyMap<string, string> {
  return new Map(
    version.printerColumns.map((value) => {
      const column = jsonMapOf(value);
      // A priority of 0 is the default.
      return [jsonTextOf(column['name']), canonicalJson({ priority: 0, ...column })];
    }),
  );
}
