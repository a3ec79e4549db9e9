import type { ErrorCode } from '../../base/errors/index.ts';
import { explanations } from './explanations.ts';

const introduction = `# Errors

Every error that op-sdk reports has a stable code. The message says what is wrong, where, and how to fix it; this page says why it is an error, and \`op-sdk explain <code>\` prints the same.
The exit code of a command is 2 if a flag or an argument is wrong, 1 for everything else that went wrong (3 for \`op-sdk diff\`, where 1 says that something differs), 70 for a defect of op-sdk itself, 130 if it was interrupted.

This page is made from the \`codes.ts\` of the rooms: change them there, then run \`npm run docs:errors\`.
`;

/** Renders docs/errors.md. */
export function renderErrorsDocument(): string {
  const codes = Object.keys(explanations) as ErrorCode[];
  const rooms = [...new Set(codes.map((code) => code.split('/')[0] ?? ''))];
  const sections = rooms.map((room) => {
    const entries = codes.filter((code) => code.startsWith(`${room}/`)).sort();
    const heading = `## ${room}\n`;
    const parts = entries.map((code) => {
      const { level, exitCode = 1, title, explain } = explanations[code];
      const outcome = level === 'warning' ? 'warning' : `exit code ${exitCode}`;
      const anchor = code.replaceAll('/', '-');
      return `<a id="${anchor}"></a>\n\n### \`${code}\`\n\n**${title}** (${outcome})\n\n${explain}\n`;
    });
    return [heading, ...parts].join('\n');
  });
  return [introduction, ...sections].join('\n');
}

/**
 * Renders the module with the union of all finding codes, and with the codes that are warnings or usage errors. Modules that ship in
 * operators need only this data.
 */
export function renderCodes(): string {
  const codes = (Object.keys(explanations) as ErrorCode[]).sort();
  const usageErrors = codes.filter((code) => explanations[code].exitCode === 2);
  const warnings = codes.filter((code) => explanations[code].level === 'warning');
  return `// Made by scripts/docs-errors.mjs from the codes of the rooms. Do not edit.

/** Every code that op-sdk can report, \`<group>/<kebab-name>\`. \`op-sdk explain\` explains each of them. */
export type ErrorCode = ${codes.map((code) => `'${code}'`).join(' | ')};

/** The codes that end a command with 2. */
export const usageErrors: ReadonlySet<ErrorCode> = new Set([${listed(usageErrors)}]);

/** The codes of findings that do not fail a command, unless \`--strict\` says so. */
export const warnings: ReadonlySet<ErrorCode> = new Set([${listed(warnings)}]);
`;
}

const listed = (codes: readonly string[]): string => codes.map((code) => `'${code}'`).join(', ');
