import { catalog, type ErrorCode } from './catalog/index.ts';
import { docsAnchor } from './format.ts';

const introduction = `# Errors

Every error that op-sdk reports has a stable code. The message says what is wrong, where, and how to mend it; this page says why it is an error.
The exit code of a command is 2 if a flag or an argument is wrong, 1 for everything else that went wrong, 70 for a defect of op-sdk itself, 130 if it was interrupted.

This page is made from the catalogue in \`src/errors/catalog\`: change it there, then run \`npm run docs:errors\`.
`;

/** docs/errors.md, made from the catalogue. */
export function renderErrorsDocument(): string {
  const codes = Object.keys(catalog) as ErrorCode[];
  const rooms = [...new Set(codes.map((code) => code.split('/')[0] ?? ''))];
  const sections = rooms.map((room) => {
    const entries = codes.filter((code) => code.startsWith(`${room}/`)).sort();
    const heading = `## ${room}\n`;
    const parts = entries.map((code) => {
      const { title, explain, exit } = catalog[code];
      const anchor = docsAnchor(code).split('#')[1] ?? '';
      return `<a id="${anchor}"></a>\n\n### \`${code}\`\n\n**${title}** (exit code ${exit})\n\n${explain}\n`;
    });
    return [heading, ...parts].join('\n');
  });
  return [introduction, ...sections].join('\n');
}
