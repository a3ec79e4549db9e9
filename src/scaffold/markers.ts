import { OpSdkError } from '../errors/index.ts';

/**
 * Inserts lines above a marker, a comment such as `// +op-sdk:scaffold:imports`, in the marker's indentation.
 * Lines that stand in the file already, whatever their indentation, are not inserted again.
 *
 * @param file for the message only
 * @param lines to insert, without indentation and line breaks
 * @throws OpSdkError `scaffold/marker-missing`, with the lines to add by hand
 */
export function insertAtMarker(file: string, text: string, marker: string, lines: readonly string[]): string {
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line.trim()));
  if (missing.length === 0) return text;

  const name = `+op-sdk:scaffold:${marker}`;
  const pattern = new RegExp(`^([ \\t]*)(?://|#) *\\${name}[ \\t]*\\r?$`, 'm');
  const found = pattern.exec(text);
  if (found === null) {
    throw new OpSdkError({
      code: 'scaffold/marker-missing',
      message: `${file} has no comment \`${name}\`, above which new lines would be added`,
      where: { file },
      fix: [
        `add these lines to ${file} by hand:\n${missing.join('\n')}`,
        `or put the comment \`// ${name}\` back and run the command again`,
      ],
    });
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = found[1] ?? '';
  const insertion = missing.map((line) => indent + line + eol).join('');
  return text.slice(0, found.index) + insertion + text.slice(found.index);
}
