import { validatorInfo, validatorNames } from '../olm/bundle/index.ts';
import { validationRules, explanations } from './explanations/explanations.ts';

const introduction = `# Validation rules

What \`op-sdk bundle validate\` looks for, by validator. All but \`opsdk\` are those of operator-framework, with the same verdicts; \`opsdk\` has what they leave out. Errors of \`opsdk\` fail with \`--strict\` only. "error or warning" depends on the bundle or on \`--optional-values\`. \`op-sdk explain <rule>\` explains a rule.

This page is made from \`src/olm/bundle/validate/rules\`: change it there, then run \`npm run docs:errors\`.
`;

/** Renders docs/validation-rules.md. */
export function renderValidationRules(): string {
  const sections = validatorNames.map((name) => {
    const { description, runs, suite, source } = validatorInfo(name);
    const when = runs === 'always' ? 'runs always' : `runs with \`--select-optional ${name}\``;
    const suites = suite === undefined ? '' : `, suite \`${suite}\``;
    const rows = validationRules
      .filter(({ validator }) => validator === name)
      .map(({ code, level }) => [
        `\`${code}\``,
        level === 'either' ? 'error or warning' : level,
        explanations[code].title,
      ]);
    const table = [['Rule', 'Level', 'What is wrong'], ...rows];
    const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
    const line = (cells: readonly string[]): string =>
      `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
    const [head = [], ...body] = table;
    const lines = [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
    return `\n## ${name}\n\nChecks ${description}; ${when}${suites}. Source: ${source}.\n\n${lines.join('\n')}\n`;
  });
  return introduction + sections.join('');
}
