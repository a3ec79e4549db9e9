import { exitCodeFor, severityOf, type ErrorCode } from '../../base/errors/index.ts';
import { explanations } from './explanations.ts';

const introduction = `# Errors

Every error that op-sdk reports has a stable code. The message says what is wrong, where, and how to fix it; this page says why it is an error, and \`op-sdk explain <code>\` prints the same.
The exit code of a command is 2 if a flag or an argument is wrong, 1 for everything else that went wrong (3 for \`op-sdk diff\`, where 1 says that something differs), 70 for a defect of op-sdk itself, 130 if it was interrupted.

This page is made from \`src/cli/explanations\`: change it there, then run \`npm run docs:errors\`.
`;

/** docs/errors.md. */
export function renderErrorsDocument(): string {
  const codes = Object.keys(explanations) as ErrorCode[];
  const rooms = [...new Set(codes.map((code) => code.split('/')[0] ?? ''))];
  const sections = rooms.map((room) => {
    const entries = codes.filter((code) => code.startsWith(`${room}/`)).sort();
    const heading = `## ${room}\n`;
    const parts = entries.map((code) => {
      const { title, explain } = explanations[code];
      const outcome = severityOf(code) === 'warning' ? 'warning' : `exit code ${exitCodeFor(code)}`;
      const anchor = code.replaceAll('/', '-');
      return `<a id="${anchor}"></a>\n\n### \`${code}\`\n\n**${title}** (${outcome})\n\n${explain}\n`;
    });
    return [heading, ...parts].join('\n');
  });
  return [introduction, ...sections].join('\n');
}
