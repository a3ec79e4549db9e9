import type { FindingList } from '../../errors/index.ts';
import { describeEvaluated, type EvaluatedProperty } from '../../schema/index.ts';
import { invalidDeclaration, isAbsent } from '../read-value.ts';

/** The greatest length of a deprecation warning, in bytes. Source: apiextensions `validateDeprecationWarning`. */
const WARNING_MAX = 256;

/** Reads `deprecated` of defineResource: whether the version is, or the warning that says so. */
export function readDeprecated(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): boolean | string {
  if (property === undefined || isAbsent(property)) return false;
  const { value } = property;
  if (value.type === 'opaque') {
    findings.add(value.finding);
    return false;
  }
  if (value.type !== 'scalar' || (typeof value.value !== 'boolean' && typeof value.value !== 'string')) {
    const message = `\`deprecated\` takes true, false or the text of the warning, not ${describeEvaluated(value)}`;
    findings.add(
      invalidDeclaration(message, value.place, 'write true, or a text that says what to use instead'),
    );
    return false;
  }
  const problem = typeof value.value === 'string' ? warningProblem(value.value) : undefined;
  if (problem !== undefined) {
    findings.add({
      code: 'manifests/invalid-deprecation',
      message: `the deprecation warning ${JSON.stringify(value.value)} is not valid: ${problem}`,
      where: value.place,
      fix: [
        `write one line of at most ${WARNING_MAX} bytes, or \`deprecated: true\` for the server's own warning`,
      ],
    });
  }
  return value.value;
}

/** Source: apiextensions `validateDeprecationWarning`, with Go's `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII space. */
function warningProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  const size = Buffer.byteLength(text);
  if (size > WARNING_MAX) return `it has ${size} bytes; ${WARNING_MAX} are allowed`;
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text);
  return odd === null
    ? undefined
    : `it holds the character ${JSON.stringify(odd[0])}, which cannot be printed`;
}
