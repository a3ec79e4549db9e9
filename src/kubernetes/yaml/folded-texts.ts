import { loadParts, type DocumentPart } from './load-document.ts';
import type { YamlPlace } from './read-yaml.ts';
import { yamlStreamParts } from './stream.ts';

/** A text in folded form, and the place of its `>`. */
export interface FoldedText {
  readonly value: string;
  readonly where: YamlPlace;
}

/**
 * Finds the texts of a file that are written in folded form (`>`), in all its documents.
 *
 * @param text read before without a problem; of what cannot be read nothing is found
 * @param file the name in the places
 */
export function foldedTexts(text: string, file: string): readonly FoldedText[] {
  // Few files have any, and places cost a second reading.
  if (!/(?:^|\s)>[-+\d]*[ \t]*(?:#.*)?$/m.test(text)) return [];
  const found: FoldedText[] = [];
  for (const part of yamlStreamParts(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)) {
    const seen = new Set<number>();
    const visit = ({ start, value, parts }: DocumentPart): void => {
      parts.forEach(visit);
      const at = typeof value === 'string' ? headerAt(part.text, start) : undefined;
      if (typeof value !== 'string' || at === undefined || seen.has(at)) return;
      seen.add(at);
      const before = part.text.slice(0, at).split('\n');
      const where = { file, line: part.line + before.length - 1, column: (before.at(-1) ?? '').length + 1 };
      found.push({ value, where });
    };
    const root = loadParts(part.text, 'kustomize');
    if (root !== undefined) visit(root);
  }
  return found;
}

/** The offset of a `>` that begins a text, behind its tag and anchor. */
function headerAt(text: string, start: number): number | undefined {
  const header = /\s*(?:[!&]\S*\s+)*>(?=[-+\d]*[ \t]*(?:#.*)?$)/my;
  header.lastIndex = start;
  return header.test(text) ? header.lastIndex - 1 : undefined;
}
