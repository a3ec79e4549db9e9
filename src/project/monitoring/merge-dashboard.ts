import { OpSdkError, messageOf } from '../../base/errors/index.ts';
import { canonicalJson, isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { contentHash } from '../scaffold/index.ts';
import { mergeParts, type Part, type RecordedHashes } from './merge-parts.ts';
import type { MergedFile } from './merge-rules.ts';
import { dashboardText } from './render-monitoring.ts';

/** Key of the hash of the positions of the panels. */
const layoutKey = 'layout';

/** Returns the hashes of the parts of a rendered dashboard. */
export function dashboardHashes(rendered: string): RecordedHashes {
  const dashboard = jsonMapOf(JSON.parse(rendered));
  const panels = panelsOf(dashboard);
  const parts = [...settingParts(dashboard), ...panels.map((panel) => panelPart(panel))];
  return {
    ...Object.fromEntries(parts.map(({ key, hash }) => [key, hash])),
    [layoutKey]: layoutHash(panels),
  };
}

/**
 * Merges panels and settings into a dashboard. Panels are identified by their ids. If the user has moved, added or removed a panel, all
 * panels keep their positions, and new panels are placed at the end.
 * @param file path of the file for errors
 * @param text the file with edits of users
 * @param rendered the file as op-sdk writes it now
 * @throws OpSdkError `project/cannot-edit` if the file is not a dashboard with panels in JSON
 */
export function mergeDashboard(
  file: string,
  text: string,
  rendered: string,
  recorded: RecordedHashes,
): MergedFile {
  const present = readDashboard(file, text);
  const generated = jsonMapOf(JSON.parse(rendered));
  const settings = mergeParts(settingParts(present), settingParts(generated), recorded);
  const [before, after] = [panelsOf(present), panelsOf(generated)];
  // Panels in a collapsed row belong to the user, because Grafana has moved them there.
  const collapsed = new Set(before.flatMap((panel) => panelsOf(panel).map(keyOf)));
  const merged = mergeParts(
    before.map(panelPart),
    after.filter((panel) => !collapsed.has(keyOf(panel))).map(panelPart),
    recorded,
  );
  const ownLayout = layoutHash(before) === recorded[layoutKey] && collapsed.size === 0;
  const panels = merged.parts.map(({ value, former }) => ({
    panel: value,
    former: former === undefined ? undefined : before[former],
  }));
  const placed = ownLayout ? generatedPlaces(panels, after) : appended(panels, after);
  const dashboard = {
    ...Object.fromEntries(settings.parts.map(({ key, value }) => [key.slice(settingPrefix.length), value])),
    panels: placed,
  };
  const kept = [...collapsed].flatMap((key) => (recorded[key] === undefined ? [] : [[key, recorded[key]]]));
  return {
    content: isSameJson(dashboard, present) ? text : inFormOf(text, inOrderOf(present, dashboard)),
    recorded: {
      ...settings.recorded,
      ...merged.recorded,
      ...(Object.fromEntries(kept) as RecordedHashes),
      [layoutKey]: ownLayout ? layoutHash(placed) : (recorded[layoutKey] ?? ''),
    },
    outdated: [
      ...settings.outdated.map((key) => key.slice(settingPrefix.length)),
      ...merged.outdated.map((key) => titleOf(before, key)),
    ],
  };
}

function readDashboard(file: string, text: string): JsonMap {
  const cannotEdit = (reason: string, cause?: unknown): OpSdkError =>
    new OpSdkError(
      {
        code: 'project/cannot-edit',
        message: `${file} cannot be edited: ${reason}`,
        where: { file },
        fix: ['mend the file, or write it again with --force'],
      },
      { cause },
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The message of the engine quotes the text around the error, including line breaks.
    throw cannotEdit(messageOf(error).replaceAll(/\s+/g, ' '), error);
  }
  if (!isJsonMap(value)) throw cannotEdit('expected a dashboard, which is an object');
  // A response of Grafana's API, and a dashboard of the second schema (`elements`), have no `panels`. This does not mean that the user has
  // removed them.
  if (!Array.isArray(value['panels']))
    throw cannotEdit('expected a dashboard with a list of panels, as Grafana exports it in the classic form');
  if (!jsonListOf(value['panels']).every(isJsonMap)) throw cannotEdit('expected panels, which are objects');
  return value;
}

const settingPrefix = 'setting-';

/** Returns the keys of the dashboard except `panels`, each as a part. */
function settingParts(dashboard: JsonMap): readonly Part<unknown>[] {
  return Object.entries(dashboard)
    .filter(([key]) => key !== 'panels')
    .map(([key, value]) => ({ key: `${settingPrefix}${key}`, value, hash: hashOf(value) }));
}

function panelsOf(owner: JsonMap): readonly JsonMap[] {
  return jsonListOf(owner['panels']).filter(isJsonMap);
}

function panelPart(panel: JsonMap): Part<JsonMap> {
  const { gridPos: _place, ...content } = panel;
  return { key: keyOf(panel), value: content, hash: hashOf(content) };
}

function keyOf(panel: JsonMap): string {
  return `panel-${String(panel['id'])}`;
}

function titleOf(panels: readonly JsonMap[], key: string): string {
  const title = panels.find((panel) => keyOf(panel) === key)?.['title'];
  return typeof title === 'string' ? `the panel ${JSON.stringify(title)}` : key;
}

function withPlace(panel: JsonMap, gridPos: unknown): JsonMap {
  return gridPos === undefined ? panel : { ...panel, gridPos };
}

/** A panel of the merged dashboard, and the panel of the file from which it comes. */
interface PlacedPanel {
  readonly panel: JsonMap;
  readonly former: JsonMap | undefined;
}

/** Puts each panel at its generated position. Edited panels that are no longer generated are placed below all others. */
function generatedPlaces(panels: readonly PlacedPanel[], generated: readonly JsonMap[]): readonly JsonMap[] {
  let bottom = bottomOf(generated);
  return panels.map(({ panel, former }) => {
    const place = generated.find((each) => each['id'] === panel['id'])?.['gridPos'];
    if (place !== undefined) return withPlace(panel, place);
    const kept = { ...panel, gridPos: { ...jsonMapOf(former?.['gridPos']), y: bottom } };
    bottom += numberIn(kept, 'h');
    return kept;
  });
}

function bottomOf(panels: readonly JsonMap[]): number {
  return Math.max(0, ...panels.map((panel) => numberIn(panel, 'y') + numberIn(panel, 'h')));
}

/** Keeps the positions of the panels of the file, and puts new panels below all others. */
function appended(panels: readonly PlacedPanel[], generated: readonly JsonMap[]): readonly JsonMap[] {
  const present = panels.flatMap(({ panel, former }) =>
    former === undefined ? [] : [withPlace(panel, former['gridPos'])],
  );
  let bottom = bottomOf(present);
  let line: { readonly y: number; height: number } | undefined;
  const added = panels
    .filter(({ former }) => former === undefined)
    .map(({ panel }) => {
      const place = jsonMapOf(generated.find((each) => each['id'] === panel['id'])?.['gridPos']);
      const [y, height] = [Number(place['y']), Number(place['h'])];
      if (line !== undefined && line.y !== y) bottom += line.height;
      line = { y, height: line?.y === y ? Math.max(line.height, height) : height };
      return { ...panel, gridPos: { ...place, y: bottom } };
    });
  return [...present, ...added];
}

function numberIn(panel: JsonMap, key: string): number {
  const value = jsonMapOf(panel['gridPos'])[key];
  return typeof value === 'number' ? value : 0;
}

function layoutHash(panels: readonly JsonMap[]): string {
  return hashOf(panels.map(({ id, gridPos }) => [id ?? null, gridPos ?? null]));
}

function hashOf(value: unknown): string {
  return contentHash(canonicalJson(value));
}

function isSameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** Returns the dashboard with its keys in the order of the file; new keys come last. */
function inOrderOf(present: JsonMap, dashboard: JsonMap): JsonMap {
  const keys = [...Object.keys(present), ...Object.keys(dashboard)];
  return Object.fromEntries(
    [...new Set(keys)].filter((key) => Object.hasOwn(dashboard, key)).map((key) => [key, dashboard[key]]),
  );
}

/** Formats a dashboard with the indentation and line ends of the file that it replaces, and with a final line break if the file has one. */
function inFormOf(text: string, dashboard: JsonMap): string {
  const indent = /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const written = dashboardText(dashboard, indent);
  const ended = text.endsWith('\n') ? written : written.slice(0, -1);
  return text.includes('\r\n') ? ended.replaceAll('\n', '\r\n') : ended;
}
