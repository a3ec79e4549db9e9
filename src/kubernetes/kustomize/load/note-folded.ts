import type { Finding, Where } from '../../../base/errors/index.ts';
import { foldedTexts } from '../../yaml/index.ts';

/** Warns of the texts of a file or patch in whose place kustomize prints others. */
export type NoteFolded = (text: string, file: string, inlineAt?: Where) => void;

/** @param warn called once for each place */
export function folding(warn: (warning: Finding) => void): NoteFolded {
  const noted = new Set<string>();
  return (text, file, inlineAt) => {
    for (const { value, where: found } of foldedTexts(text, file)) {
      // Lines of a text inside another file would lead astray.
      const where = inlineAt ?? found;
      const place = JSON.stringify(where);
      if (noted.has(place) || !isMisprinted(value)) continue;
      noted.add(place);
      warn({
        code: 'kustomize/folded-text',
        message: 'kustomize prints other line breaks in this folded text (>) than it has; op-sdk keeps them',
        where,
        fix: ['write it as a literal text (|), line by line as it is meant: both print the same then'],
      });
    }
  };
}

/**
 * Tells if a folded text is another one after kustomize has printed it. Its printer doubles the line breaks that the reader folds: also
 * those before lines that are indented more, and at the end, which are not folded; and none at all in a text that begins with a blank.
 * Source: go.yaml.in/yaml/v3 `emitterc.go`, `yaml_emitter_write_folded_scalar`.
 */
function isMisprinted(value: string): boolean {
  // Printed in double quotes.
  if (inQuotes.test(value)) return false;
  const text = value.replace(/^\n+/, '');
  if (/^[ \t]/.test(text)) return /^[^ \t\n].*\n+[^ \t\n]/m.test(text);
  return /^[^ \t\n].*\n+[ \t]/m.test(text) || /(?:^|\n)[^ \t\n].*\n\n+$/.test(text);
}

/** Blanks at the end of a line, and what the printer does not take for printable. */
const inQuotes = / (?:\n|$)|[^\t\n\x20-\x7E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]/;
