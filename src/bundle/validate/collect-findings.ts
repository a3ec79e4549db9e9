import type { Finding, FindingCode, Where } from '../../errors/index.ts';
import type { YamlDocument } from '../../yaml/index.ts';
import type { Complain, FieldPath, PlacedDocument, PlacedFile, Report } from './types.ts';

interface Noted {
  readonly finding: Omit<Finding, 'where'>;
  readonly place: PlacedFile | readonly [PlacedDocument, FieldPath];
}

/** Takes findings with fields as their places, and turns the fields into lines when all are there. */
export interface FindingCollector extends Report {
  /** For findings that know their line already. */
  addErrors(findings: readonly Finding[]): void;
  addWarnings(findings: readonly Finding[]): void;
  finish(): { readonly errors: readonly Finding[]; readonly warnings: readonly Finding[] };
}

/** More findings of one file than people would read; looking up the places of very many takes its time, too. */
const MOST_OF_FILE = 100;

/** Places are looked up file by file at the end, so that no more than one syntax tree is in memory at a time. */
export function collectFindings(): FindingCollector {
  const errors: (Noted | Finding)[] = [];
  const warnings: (Noted | Finding)[] = [];
  const counts = new Map<string, number>();
  const dropped = new Map<
    string,
    {
      readonly list: (Noted | Finding)[];
      readonly code: FindingCode;
      readonly file: string;
      readonly count: number;
    }
  >();
  const into =
    (list: (Noted | Finding)[], severity: string): Complain =>
    (code, place, message, ...fix) => {
      const { file } = 'file' in place ? place : place[0];
      const key = `${severity} ${file}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > MOST_OF_FILE) {
        dropped.set(key, { list, code, file, count: count - MOST_OF_FILE });
        return;
      }
      list.push({ finding: { code, message: clip(message), ...(fix.length === 0 ? {} : { fix }) }, place });
    };
  return {
    error: into(errors, 'error'),
    warn: into(warnings, 'warning'),
    addErrors: (findings) => void errors.push(...findings),
    addWarnings: (findings) => void warnings.push(...findings),
    finish: () => {
      const places = lookUp([...errors, ...warnings].filter((item) => 'place' in item));
      for (const { list, code, file, count } of dropped.values())
        list.push({
          code,
          message: `${file} has ${count} more findings, which are not listed`,
          where: { file },
        });
      const placed = (item: Noted | Finding): Finding =>
        'place' in item ? { ...item.finding, where: places.get(item) ?? { file: '' } } : item;
      return { errors: errors.map(placed), warnings: warnings.map(placed) };
    },
  };
}

const MOST_CHARACTERS = 1000;

/** Messages quote what is in files, which may be of any length. */
function clip(message: string): string {
  return message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message;
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
    const group = byDocument.get(document) ?? [];
    group.push(noted);
    byDocument.set(document, group);
  }
  for (const [document, group] of byDocument) {
    const tree: YamlDocument = document.reread();
    for (const noted of group) {
      if (!('file' in noted.place)) places.set(noted, tree.locate(noted.place[1]));
    }
  }
  return places;
}
