import type { Finding, Where } from '../../errors/index.ts';
import type { YamlDocument } from '../../util/yaml-read.ts';
import type { Complain, FieldPath, PlacedDocument, PlacedFile, Report } from './types.ts';

interface Noted {
  readonly finding: Omit<Finding, 'where'>;
  readonly place: PlacedFile | readonly [PlacedDocument, FieldPath];
}

/** Takes findings with fields as their places, and turns the fields into lines when all are there. */
export interface FindingCollector extends Report {
  /** For findings that know their line already. */
  addErrors(findings: readonly Finding[]): void;
  finish(): { readonly errors: readonly Finding[]; readonly warnings: readonly Finding[] };
}

/** Places are looked up file by file at the end, so that no more than one syntax tree is in memory at a time. */
export function collectFindings(): FindingCollector {
  const errors: (Noted | Finding)[] = [];
  const warnings: Noted[] = [];
  const into =
    (list: (Noted | Finding)[]): Complain =>
    (code, place, message, ...fix) => {
      list.push({ finding: { code, message, ...(fix.length === 0 ? {} : { fix }) }, place });
    };
  return {
    error: into(errors),
    warn: into(warnings),
    addErrors: (findings) => void errors.push(...findings),
    finish: () => {
      const places = lookUp([...errors, ...warnings].filter((item) => 'place' in item));
      const placed = (item: Noted | Finding): Finding =>
        'place' in item ? { ...item.finding, where: places.get(item) ?? { file: '' } } : item;
      return { errors: errors.map(placed), warnings: warnings.map(placed) };
    },
  };
}

function lookUp(all: readonly Noted[]): ReadonlyMap<Noted, Where> {
  const places = new Map<Noted, Where>();
  const byDocument = new Map<PlacedDocument, Noted[]>();
  for (const noted of all) {
    const { place } = noted;
    if ('file' in place) {
      places.set(noted, { file: place.file });
      continue;
    }
    const [document] = place;
    byDocument.set(document, [...(byDocument.get(document) ?? []), noted]);
  }
  for (const [document, group] of byDocument) {
    const tree: YamlDocument = document.reread();
    for (const noted of group) {
      if (!('file' in noted.place)) places.set(noted, tree.locate(noted.place[1]));
    }
  }
  return places;
}
