import { jsonListOf, jsonMapOf, jsonTextOf } from '../../base/util/json-map.ts';
import {
  addToYamlList,
  editYaml,
  parseYaml,
  setYamlListBlocks,
  toYaml,
  YamlSpliceError,
  yamlListBlocks,
  type ListBlock,
} from '../../kubernetes/yaml/index.ts';
import { contentHash } from '../scaffold/index.ts';
import { mergeParts, type MergedPart, type Part, type RecordedHashes } from './merge-parts.ts';

/** A merged file, and the hashes of its generated parts. */
export interface MergedFile {
  readonly content: string;
  readonly recorded: RecordedHashes;
  /** Names of edited parts whose generated version has changed with this run. */
  readonly outdated: readonly string[];
}

/** Returns the hashes of the alerts in a rendered file of rules. */
export function ruleHashes(rendered: string): RecordedHashes {
  return Object.fromEntries(generatedRules(rendered).map(({ key, hash }) => [key, hash]));
}

/**
 * Merges alerts into a file of rules. Alerts are identified by their names, in any group. An alert is edited if its text, or the comment
 * above it, was changed.
 * @param file path of the file for errors
 * @param text the file with edits of users
 * @param rendered the file as op-sdk writes it now
 * @throws OpSdkError `project/cannot-edit` with the alerts to add by hand; the errors of `parseYaml`
 */
export function mergeRules(
  file: string,
  text: string,
  rendered: string,
  recorded: RecordedHashes,
): MergedFile {
  const groups = jsonListOf(jsonMapOf(jsonMapOf(parseYaml(text, file).value)['spec'])['groups']);
  const present = groups.flatMap((group, index) => rulesOf(text, group, index));
  const merged = mergeParts<PlacedRule>(
    present,
    generatedRules(rendered).map((part) => ({ ...part, value: { block: part.value, group: undefined } })),
    recorded,
  );
  const isChanged = merged.parts.length !== present.length || merged.parts.some((part) => part.isChanged);
  const { recorded: hashes, outdated } = merged;
  if (!isChanged) return { content: text, recorded: hashes, outdated };
  const missing = merged.parts.filter(({ former }) => former === undefined);
  const byHand = toYaml(missing.map(({ value }) => value.block?.value));
  const content = editYaml(file, byHand, () => withRules(text, groups, present, merged.parts));
  return { content, recorded: hashes, outdated };
}

/** A rule of a file: its lines, undefined if it is in a list that cannot be edited, and the index of its group. */
interface PlacedRule {
  readonly block: ListBlock | undefined;
  readonly group: number | undefined;
}

function generatedRules(rendered: string): readonly Part<ListBlock>[] {
  return yamlListBlocks(rendered, ['spec', 'groups', 0, 'rules']).map((block) => partOf(block, block));
}

function partOf<T>(block: ListBlock, value: T): Part<T> {
  return { key: nameOf(block.value), value, hash: contentHash(block.text) };
}

function nameOf(rule: unknown): string {
  const { alert, record } = jsonMapOf(rule);
  return typeof alert === 'string' ? alert : `record ${jsonTextOf(record)}`;
}

function rulesOf(text: string, group: unknown, index: number): readonly Part<PlacedRule>[] {
  const rules = jsonListOf(jsonMapOf(group)['rules']);
  if (rules.length === 0) return [];
  try {
    return yamlListBlocks(text, pathOf(index)).map((block) => partOf(block, { block, group: index }));
  } catch (error) {
    if (!(error instanceof YamlSpliceError)) throw error;
    // A list in brackets belongs to the user. Its alerts are read, so that they are not added again.
    return rules.map((rule) => ({
      key: nameOf(rule),
      value: { block: undefined, group: index },
      hash: '',
    }));
  }
}

function pathOf(group: number): readonly (string | number)[] {
  return ['spec', 'groups', group, 'rules'];
}

/** Writes the merged rules into their groups. A new rule belongs to the group of the rule before it. */
function withRules(
  text: string,
  groups: readonly unknown[],
  present: readonly Part<PlacedRule>[],
  parts: readonly MergedPart<PlacedRule>[],
): string {
  const offsets = groups.map((_group, index) => present.findIndex(({ value }) => value.group === index));
  const wanted = groups.map((): (number | ListBlock)[] => []);
  const homeless: ListBlock[] = [];
  // Rules without a predecessor are added to the first group with rules.
  let current = offsets.findIndex((offset, index) => offset !== -1 && isEditable(present, index));
  const touched = new Set<number>();
  for (const { value, former, isChanged } of parts) {
    const { block } = value;
    const own = former === undefined ? undefined : present[former]?.value.group;
    const group = own ?? current;
    if (own !== undefined && isEditable(present, own)) current = own;
    const list = wanted[group];
    if (former !== undefined && !isChanged) list?.push(former - (offsets[group] ?? 0));
    else if (block === undefined) continue;
    else if (list === undefined) homeless.push(block);
    else {
      list.push(block);
      touched.add(group);
    }
  }
  let edited = text;
  for (const [index, blocks] of wanted.entries()) {
    const count = present.filter(({ value }) => value.group === index).length;
    if (!isEditable(present, index) || (!touched.has(index) && blocks.length === count)) continue;
    edited = setYamlListBlocks(edited, pathOf(index), blocks);
  }
  if (homeless.length === 0) return edited;
  const rules = homeless.map(({ value }) => value);
  if (groups.length > 0)
    return rules.reduce<string>(
      (result, rule) => addToYamlList(result, pathOf(groups.length - 1), rule),
      edited,
    );
  return addToYamlList(edited, ['spec', 'groups'], { name: 'operator', rules });
}

function isEditable(present: readonly Part<PlacedRule>[], group: number): boolean {
  const inside = present.filter(({ value }) => value.group === group);
  return inside.length > 0 && inside.every(({ value }) => value.block !== undefined);
}
