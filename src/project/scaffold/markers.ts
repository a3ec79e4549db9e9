import { FindingList } from '../../base/errors/index.ts';

/** A place in a file, and what is to stand above it. */
export interface MarkedLines {
  /** The name of the marker, which follows `+op-sdk:scaffold:`. */
  readonly marker: string;
  /** Without indentation and line breaks. */
  readonly lines: readonly string[];
}

/**
 * Inserts lines above markers, comments such as `// +op-sdk:scaffold:imports`, in the marker's indentation.
 * Lines that stand in the file already, whatever their indentation, quotes and semicolon, are not inserted again.
 *
 * @param file for the message only
 * @throws OpSdkError `scaffold/marker-missing` for every marker that is missing, with the lines to add by hand
 */
export function insertAtMarkers(file: string, text: string, insertions: readonly MarkedLines[]): string {
  const present = new Set(text.split(/\r?\n/).map(normalised));
  const findings = new FindingList();
  let result = text;
  for (const { marker, lines } of insertions) {
    const missing = lines.filter((line) => !present.has(normalised(line)));
    if (missing.length === 0) continue;
    const name = `+op-sdk:scaffold:${marker}`;
    const found = new RegExp(`^([ \\t]*)(?://|#) *\\${name}(?:[ \\t].*)?\\r?$`, 'm').exec(result);
    if (found === null) {
      findings.add({
        code: 'scaffold/marker-missing',
        message: `${file} has no comment \`${name}\`, above which new lines would be added`,
        where: { file },
        fix: [
          `put the comment \`// ${name}\` back and run the command again`,
          `or add this to ${file} by hand and run the command again:\n${missing.join('\n')}`,
        ],
      });
      continue;
    }
    const eol = result.includes('\r\n') ? '\r\n' : '\n';
    const insertion = missing.map((line) => (found[1] ?? '') + line + eol).join('');
    result = result.slice(0, found.index) + insertion + result.slice(found.index);
  }
  findings.throwIfAny();
  return result;
}

/** A line as a formatter of any style would leave it. */
function normalised(line: string): string {
  return line.trim().replaceAll('"', "'").replace(/;$/, '');
}
