// Texts that name a flag are printed by commands that have it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { commands } from '../../../src/cli/command-table.ts';
import { buildProgram } from '../../../src/cli/program.ts';

const src = fileURLToPath(new URL('../../../src', import.meta.url));

/** The flags of each command, by its words. */
const flagsOf = new Map<string, ReadonlySet<string>>();
beforeAll(async () => {
  for (const entry of commands) {
    const modules = new Map([[entry, await entry.load()]]);
    const { leaves } = buildProgram(modules, () => undefined);
    const names = leaves.get(entry)?.options.flatMap(({ long }) => long ?? []) ?? [];
    flagsOf.set(entry.path.join(' '), new Set([...names, '--help', '--verbose', '--quiet']));
  }
});

/** All strings of the sources, with the parts of templates joined by a space. */
function textsOf(file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('X'));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext));
  return found;
}

const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !/generated|\/templates\//.test(file) && readFileSync(file, 'utf8').includes('--'));

const flag = /(?<![\w-])--(?:no-)?[a-z][a-z0-9-]+/g;
const isKnown = (flags: ReadonlySet<string>, name: string): boolean =>
  [name, name.replace('--no-', '--'), name.replace('--', '--no-')].some((form) => flags.has(form));

/** The command that a text begins with: the longest one. */
function commandOf(text: string): string | undefined {
  const words = text.split(/\s+/);
  for (let count = 4; count > 0; count--) {
    const path = words.slice(0, count).join(' ');
    if (flagsOf.has(path)) return path;
  }
  return undefined;
}

test('a command that a text spells out has the flags that it is spelled with', () => {
  const wrong: string[] = [];
  for (const file of files)
    for (const text of textsOf(file))
      for (const [, rest = ''] of text.matchAll(/\bop-sdk ([a-z][^\n`|;,:()]*)/g)) {
        const command = commandOf(rest);
        if (command === undefined) continue;
        // What follows `--` is the program's that it starts.
        for (const [name] of (rest.split(' -- ')[0] ?? '').matchAll(flag))
          if (!isKnown(flagsOf.get(command) ?? new Set(), name))
            wrong.push(`${relative(src, file)}: op-sdk ${command} has no ${name}: ${text}`);
      }
  expect(wrong).toEqual([]);
});

/** Parts of templates that end a command of kubectl. */
const ofKubectl = new Set([' --previous']);

/** Which commands print the texts of a folder or a file. */
const printers: readonly (readonly [string, readonly string[]])[] = [
  ['cluster/rollout/', ['deploy']],
  ['olm/install/apply-catalogues.ts', ['olm install']],
  ['olm/install/install-', ['olm install']],
  ['olm/install/wait-package-server.ts', ['olm install']],
  ['olm/install/uninstall/', ['olm uninstall']],
  ['olm/scorecard/', ['scorecard']],
  ['olm/run/', ['run bundle']],
  ['cli/commands/cleanup.ts', ['cleanup']],
  ['cli/commands/run-bundle.ts', ['run bundle']],
  ['cli/commands/run-bundle-upgrade.ts', ['run bundle-upgrade']],
  ['cli/commands/olm-install.ts', ['olm install']],
  ['cli/commands/olm-uninstall.ts', ['olm uninstall']],
  ['cli/commands/undeploy.ts', ['undeploy']],
  ['cli/commands/uninstall.ts', ['uninstall']],
  ['cli/commands/deploy.ts', ['deploy']],
];

test.each(printers)('texts of %s name flags of %j', (place, names) => {
  const wrong: string[] = [];
  for (const file of files.filter((each) => relative(src, each).startsWith(place)))
    for (const text of textsOf(file)) {
      if (ofKubectl.has(text)) continue;
      // Other programs and other commands have flags of their own.
      const own = text.replaceAll(/(?:kubectl|op-sdk|kind) .*/g, '');
      for (const [name] of own.matchAll(flag))
        if (!names.every((command) => isKnown(flagsOf.get(command) ?? new Set(), name)))
          wrong.push(`${relative(src, file)}: ${name}: ${text}`);
    }
  expect(wrong).toEqual([]);
});
